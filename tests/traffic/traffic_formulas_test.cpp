// Goal: a subject's formula is found by its name, the most special row first.
#include "traffic/traffic_formulas.hpp"

#include <gtest/gtest.h>

namespace attest::traffic_formulas_test {
namespace {

std::string_view row_of(std::string_view subject) {
  const TrafficFormula* row = traffic_formula_of(subject);
  return row == nullptr ? "" : row->subject;
}

TEST(TrafficFormulas, AreFoundByNameOrItsBeginning) {
  EXPECT_EQ(row_of("tiled"), "tiled");
  EXPECT_EQ(row_of("variant/tiled-fused"), "variant/tiled-*");
  EXPECT_EQ(row_of("variant/tiled-16-keys"), "variant/tiled-16-keys");
  EXPECT_EQ(row_of("materialising"), "materialising");
  EXPECT_EQ(row_of("variant/tiled-atomic-dq"), "variant/tiled-atomic-dq");
  EXPECT_EQ(row_of("plain"), "");
  EXPECT_EQ(row_of("tiled2"), "");
}

// A row that an earlier one hides would be nobody's.
TEST(TrafficFormulas, AreEachTheFirstForTheirOwnName) {
  for (const TrafficFormula& row : traffic_formulas()) {
    EXPECT_EQ(row_of(row.subject), row.subject);
  }
}

}  // namespace
}  // namespace attest::traffic_formulas_test
