// Goal: what made a verdict is named, and nothing of whose machine it was.
#include "harness/bundle/environment.hpp"

#include <gtest/gtest.h>

#include "harness/cache/oracle_digest.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::environment_test {
namespace {

TEST(Environment, NamesProgramOracleBuildAndMachine) {
  const std::string text = environment_text();
  EXPECT_TRUE(holds(line_beginning(text, "attest"), std::string(attest_version())));
  EXPECT_TRUE(holds(line_beginning(text, "oracle"), std::string(oracle_digest())));
  EXPECT_TRUE(holds(line_beginning(text, "toolchain"), std::string(oracle_toolchain())));
  EXPECT_NE(line_beginning(text, "system"), "");
  EXPECT_EQ(environment_text(), text);
}

}  // namespace
}  // namespace attest::environment_test
