// Goal: `attest oracle` prints the proved answer of every output, classes included.
#include <gtest/gtest.h>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::oracle_command_test {
namespace {

std::string oracle_of(const std::string& text) {
  const Attest attest;
  const Ran ran = attest.run({"oracle", text});
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.out;
}

TEST(OracleCommand, PrintsAnEnclosureOfEveryOutput) {
  // Row 0 sees one key of score 1: LSE and O are points. Row 1 sees two, V = 1 and 3: O = 2.
  const std::string text = oracle_of(
      "attest1:b=1;hq=1;hk=1;nq=2;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=0;"
      "align=br;pass=fwd;data=q:3c003c00,k:3c003c00,v:3c004200");
  EXPECT_EQ(line_beginning(text, "row b=0 h=0 i=0"),
            "row b=0 h=0 i=0: 1 live keys in 0..0, max score 1 at j=0, oracle 168 bits");
  EXPECT_EQ(lines_of(text)[1], "  lse      [0x1p+0, 0x1p+0]  about 1");
  EXPECT_EQ(lines_of(text)[2], "  o[d=0]  [0x1p+0, 0x1p+0]  about 1");
  EXPECT_TRUE(lines_of(text)[5].ends_with("]  about 2")) << text;
  // 1 + ln 2 is no binary number: the enclosure is not a point.
  EXPECT_EQ(lines_of(text)[4],
            "  lse      [0x1.b17217f7d1cf7p+0, 0x1.b17217f7d1cf8p+0]  about 1.69314718056");
}

TEST(OracleCommand, PrintsAnEnclosureOfEveryGradient) {
  // q = 0: both rows weigh the keys they see alike. V = 1 and 3, dO = 1 and 2. Row 0 sees one key,
  // and dS of one key is 0. Row 1: O = 2, D = 4, dP = 2 and 6, dS = -1 and 1; K = 1 and 2.
  const std::string text = oracle_of(
      "attest1:b=1;hq=1;hk=1;nq=2;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=0;"
      "align=br;pass=bwd;data=q:00000000,k:3c004000,v:3c004200,dout:3c004000");
  const auto value_after = [&](const std::string& row) {
    const std::string line = lines_of(text.substr(text.find(row))).at(1);
    return line.substr(line.find("about "));
  };
  EXPECT_EQ(value_after("dq b=0 h=0 i=0"), "about 0");
  EXPECT_EQ(value_after("dq b=0 h=0 i=1"), "about 1");
  EXPECT_EQ(value_after("dk b=0 h=0 j=0"), "about 0");  // of q = 0
  EXPECT_EQ(value_after("dv b=0 h=0 j=0"), "about 2");  // 1 * 1 + 1/2 * 2
  EXPECT_EQ(value_after("dv b=0 h=0 j=1"), "about 1");
  EXPECT_TRUE(holds(text, "row b=0 h=0 i=1: 2 live keys")) << text;  // O and LSE as well
}

TEST(OracleCommand, PrintsClassesOfGradients) {
  // No row sees key 1; the dO of row 1, beyond the length, is NaN.
  const std::string text = oracle_of(
      "attest1:b=1;hq=1;hk=1;nq=2;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=0;"
      "align=tl;lq=1;pass=bwd;data=q:3c003c00,k:3c003c00,v:3c003c00,dout:3c007e00");
  EXPECT_TRUE(holds(text, "dq b=0 h=0 i=1\n  dq[d=0]  beyond the length\n")) << text;
  EXPECT_TRUE(holds(text, "dk b=0 h=0 j=1\n  dk[d=0]  dead\n")) << text;
  EXPECT_TRUE(holds(text, "dv b=0 h=0 j=0\n  dv[d=0]  [0x1p+0, 0x1p+0]  about 1\n")) << text;
}

TEST(OracleCommand, PrintsTheClassOfWhatIsNoNumber) {
  const std::string text = oracle_of(
      "attest1:b=1;hq=1;hk=1;nq=3;nk=1;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=-1;"
      "align=tl;lq=2;pass=fwd;data=q:3c003c003c00,k:3c00,v:7e00");
  EXPECT_TRUE(holds(text, "row b=0 h=0 i=0: 0 live keys\n  lse      dead\n  o[d=0]  dead\n"))
      << text;
  EXPECT_TRUE(holds(text, "lse      [0x1p+0, 0x1p+0]  about 1\n  o[d=0]  NaN\n")) << text;
  EXPECT_TRUE(holds(text, "lse      beyond the length\n  o[d=0]  beyond the length\n")) << text;
}

}  // namespace
}  // namespace attest::oracle_command_test
