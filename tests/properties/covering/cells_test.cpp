// Goal: cells are counted once, exclusions aside, and numbered so that each can be named again.
#include "properties/covering/cells.hpp"

#include <gtest/gtest.h>

#include "properties/covering/constraint.hpp"
#include "properties/draw.hpp"

namespace attest::cells_test {
namespace {

TEST(Cells, OfStrengthOneAreTheValuesThatNoConstraintExcludes) {
  Index values = 0;
  for (int n = 0; n < kParameters; ++n) {
    values += static_cast<Index>(names_of(static_cast<Parameter>(n)).values.size());
  }
  const Cells backward(Pass::bwd, 1);
  EXPECT_EQ(backward.total(), values);
  EXPECT_EQ(backward.excluded(), 0);
  const Cells forward(Pass::fwd, 1);
  EXPECT_EQ(forward.total(), values - 4);  // three families and the gradient of LSE
  EXPECT_EQ(forward.excluded(), 4);
}

TEST(Cells, OfOneCaseAreThoseOfAllChoicesOfParameters) {
  const Features features = features_of(draw(1, 0, Pass::bwd));
  const Index of_strength[] = {0, 14, 91, 364, 1001};
  for (int strength = 1; strength <= kMostStrength; ++strength) {
    Cells cells(Pass::bwd, strength);
    EXPECT_EQ(cells.unmet(features), of_strength[strength]);
    EXPECT_EQ(cells.unmet_with(features, kBand) * kParameters, of_strength[strength] * strength);
    EXPECT_EQ(cells.meet(features), of_strength[strength]);
    EXPECT_EQ(cells.met(), of_strength[strength]);
    EXPECT_EQ(cells.meet(features), 0);
    EXPECT_EQ(cells.unmet(features), 0);
  }
}

TEST(Cells, AreNotMetByOpenFeatures) {
  Cells cells(Pass::bwd, 2);
  Features features = all_open();
  EXPECT_EQ(cells.meet(features), 0);
  features[kBand] = kCausalBand;
  EXPECT_EQ(cells.meet(features), 0);
  features[kDim] = kWide;
  EXPECT_EQ(cells.meet(features), 1);
}

TEST(Cells, AreNumberedSoThatEachIsMetByItsOwnFeaturesAlone) {
  for (const int strength : {1, 2, 3}) {
    Cells cells(Pass::fwd, strength);
    Index met = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const Features at = cells.features_at(cell);
      const bool excluded = constraint_on(Pass::fwd, at) != nullptr;
      ASSERT_EQ(cells.is_unmet(cell), !excluded);
      ASSERT_EQ(cells.meet(at), excluded ? 0 : 1);
      met += !excluded;
    }
    EXPECT_EQ(met, cells.total());
    EXPECT_TRUE(cells.all_met());
  }
}

TEST(Cells, AreNamedByTheirFeatures) {
  Features features = all_open();
  EXPECT_EQ(text_of(features), "");
  features[kKeys] = kOneOver;
  features[kBand] = kCausalBand;
  EXPECT_EQ(text_of(features), "band=causal, keys=one over");
}

}  // namespace
}  // namespace attest::cells_test
