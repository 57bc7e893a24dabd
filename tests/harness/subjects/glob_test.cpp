// Goal: '*' stands for any run of characters, everything else for itself.
#include "harness/subjects/glob.hpp"

#include <gtest/gtest.h>

namespace attest::glob_test {
namespace {

TEST(Glob, WithoutAStarIsTheNameItself) {
  EXPECT_TRUE(glob_matches("plain", "plain"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("plain", "plain-fused"));
  EXPECT_FALSE(glob_matches("plain-fused", "plain"));
  EXPECT_FALSE(glob_matches("", "plain"));
  EXPECT_FALSE(glob_matches("Plain", "plain"));
}

TEST(Glob, StarStandsForAnyRunSlashesIncluded) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*", "variant/plain-fused"));
  EXPECT_TRUE(glob_matches("v*d", "variant/plain-fused"));
  EXPECT_TRUE(glob_matches("*plain*", "plain"));
  EXPECT_TRUE(glob_matches("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(glob_matches("a**c", "ac"));
  EXPECT_FALSE(glob_matches("v*x", "variant/plain-fused"));
  EXPECT_FALSE(glob_matches("a*b*c", "acb"));
}

TEST(Glob, TakesOtherSignsLiterally) {
  EXPECT_TRUE(glob_matches("0x1p-3", "0x1p-3"));
  EXPECT_FALSE(glob_matches("0x1p.3", "0x1p-3"));
  EXPECT_FALSE(glob_matches("plai?", "plain"));
  EXPECT_FALSE(glob_matches("[p]lain", "plain"));
}

}  // namespace
}  // namespace attest::glob_test
