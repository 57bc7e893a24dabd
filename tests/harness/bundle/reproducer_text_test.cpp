// Goal: a text's parts come where it names them, and a program has no name left.
#include "harness/bundle/reproducer_text.hpp"

#include <gtest/gtest.h>

namespace attest::reproducer_text_test {
namespace {

TEST(ReproducerText, PutsEachPartWhereItIsNamed) {
  const TextParts parts = {{"a", "1"}, {"b", "@a@"}};
  EXPECT_EQ(filled("x @a@@b@ y", parts), "x 1@a@ y");
  EXPECT_EQ(filled("none", parts), "none");
  EXPECT_DEATH((void)filled("@c@", parts), "");
}

}  // namespace
}  // namespace attest::reproducer_text_test
