// Goal: every unit has a name that reads back, and an alias means the unit with the same
// arithmetic.
#include "core/unit.hpp"

#include <gtest/gtest.h>

namespace attest::unit_test {
namespace {

TEST(Unit, EveryNameReadsBack) {
  for (const Unit unit : kUnits) EXPECT_EQ(unit_named(name_of(unit)), unit) << name_of(unit);
}

TEST(Unit, AliasesNameTheUnitWhoseArithmeticTheyShare) {
  EXPECT_EQ(unit_named("ada"), Unit::a100);
  EXPECT_EQ(unit_named("h200"), Unit::h100);
  EXPECT_EQ(unit_named("b200"), Unit::h100);
}

TEST(Unit, UnknownNamesAreNothing) {
  for (const char* name : {"", "H100", "h100 ", "p100", "unknown"}) {
    EXPECT_EQ(unit_named(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace attest::unit_test
