// Goal: `attest oracle` prints the proved answer of every output, classes included.
#include <gtest/gtest.h>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest {
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
}  // namespace attest
