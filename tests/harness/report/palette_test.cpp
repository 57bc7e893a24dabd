// Goal: without colour, text is the text; with colour, it is the text between two codes.
#include "harness/report/palette.hpp"

#include <gtest/gtest.h>

namespace attest::palette_test {
namespace {

TEST(Palette, WithoutColourAddsNothing) {
  const Palette none;
  for (const std::string& text :
       {none.red("x"), none.green("x"), none.yellow("x"), none.dim("x")}) {
    EXPECT_EQ(text, "x");
  }
}

TEST(Palette, WithColourEndsWhatItBegins) {
  const Palette coloured{true};
  EXPECT_EQ(coloured.red("x"), "\033[31;1mx\033[0m");
  EXPECT_EQ(coloured.green("x"), "\033[32;1mx\033[0m");
  EXPECT_EQ(coloured.yellow("x"), "\033[33;1mx\033[0m");
  EXPECT_EQ(coloured.dim("x"), "\033[2mx\033[0m");
}

}  // namespace
}  // namespace attest::palette_test
