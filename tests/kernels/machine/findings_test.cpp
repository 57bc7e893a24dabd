// Goal: a finding says kind, line and circumstance, once.
#include "kernels/machine/findings.hpp"

#include <gtest/gtest.h>

namespace attest::findings_test {
namespace {

TEST(Findings, NameKernelLinesBelowTheProject) {
  const Where here = Where::current();
  const Finding finding{Finding::Kind::misaligned, here, here, "element 3 of 8 in k"};
  EXPECT_EQ(describe(finding), "misaligned access at tests/kernels/machine/findings_test.cpp:" +
                                   std::to_string(here.line()) + ": element 3 of 8 in k");
}

TEST(Findings, NameBothLinesOfARace) {
  const Where here = Where::current();
  const Where there = Where::current();
  const std::string text = describe({Finding::Kind::race, here, there, "why"});
  EXPECT_EQ(text.find("race at " + text_of(here) + ", against " + text_of(there) + ": why"), 0u)
      << text;
}

TEST(Findings, AreKeptOnceForEachKindAndPairOfLines) {
  const Where here = Where::current();
  const Where there = Where::current();
  std::vector<Finding> findings;
  for (const char* text : {"first", "second"}) {
    add_finding(findings, {Finding::Kind::race, here, there, text});
    add_finding(findings, {Finding::Kind::race, there, here, text});
    add_finding(findings, {Finding::Kind::divergence, here, there, text});
  }
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].text, "first");
  EXPECT_TRUE(is_known(findings, Finding::Kind::race, here, there));
  EXPECT_FALSE(is_known(findings, Finding::Kind::race, here, here));
}

}  // namespace
}  // namespace attest::findings_test
