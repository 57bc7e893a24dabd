// Goal: columns stand under each other, whatever they hold.
#include "harness/report/table.hpp"

#include <gtest/gtest.h>

namespace attest::table_test {
namespace {

TEST(Table, AlignsColumnsTwoBlanksApart) {
  EXPECT_EQ(align_table({{"name", "n", "about"}, {"x", "1234", "first"}, {"longest", "5", "b"}}),
            "name     n     about\n"
            "x        1234  first\n"
            "longest  5     b\n");
}

TEST(Table, LeavesNoBlanksAtLineEnds) {
  EXPECT_EQ(align_table({{"a", "long head"}, {"b", ""}, {"c", "x"}}),
            "a  long head\n"
            "b\n"
            "c  x\n");
}

TEST(Table, TakesRowsShorterThanTheHead) {
  EXPECT_EQ(align_table({{"a", "b", "c"}, {"wide"}}), "a     b  c\nwide\n");
}

TEST(Table, OfNoRowsIsEmpty) { EXPECT_EQ(align_table({}), ""); }

TEST(TableDeathTest, RefusesARowLongerThanTheHead) {
  EXPECT_DEATH((void)align_table({{"a"}, {"b", "c"}}), "broken contract");
}

}  // namespace
}  // namespace attest::table_test
