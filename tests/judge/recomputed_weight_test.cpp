// Goal: whatever weight a kernel makes as it declares lies between the ends, these are no further
// apart than what is not declared, and where nothing can be said nothing is.
#include "judge/recomputed_weight.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/judge/judged_gradients.hpp"

namespace attest::recomputed_weight_test {
namespace {

constexpr float kLog2e = 1.44269504F;

std::optional<RecomputedWeights> weights_of(const std::string& changes, float scale = 0.125F) {
  Problem p;
  p.pass = Pass::bwd;
  p.scale = scale;
  const Numerics n = exact_backward(changes);
  return RecomputedWeights::of(p, n, resolve(n, p));
}

// The argument of exp2, step by step as section 8 defines the forms.
float argument(const std::string& form, float x, float lse, float scale) {
  const auto c = static_cast<float>(static_cast<double>(scale) * 1.4426950408889634);
  if (form == "difference_first") {
    const float s = x * scale;
    const float less = s - lse;
    return less * kLog2e;
  }
  const float shift = lse * kLog2e;
  if (form == "fused") return std::fma(x, c, -shift);
  const float product = x * c;
  return product - shift;
}

TEST(RecomputedWeights, HoldWhatEveryFormMakesOfAnyScoreBetweenTheEnds) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (const std::string form : {"difference_first", "scaled_max", "product_first", "fused"}) {
    const auto weights = weights_of("exp2=0x1.4p-22;exponent=" + form);
    ASSERT_TRUE(weights);
    for (int n = 0; n < 3000; ++n) {
      const float middle = 200 * unit(engine);
      const float reach = std::ldexp(middle, -static_cast<int>(engine() % 24));
      const float lse = 20 * unit(engine);
      const float ends[] = {middle - std::fabs(reach), middle + std::fabs(reach)};
      const Range32 p = weights->weight({ends[0], ends[1]}, weights->framed(lse));
      for (const float x : {ends[0], middle, ends[1]}) {
        const double exact = std::exp2(static_cast<double>(argument(form, x, lse, 0.125F)));
        for (const double off : {-0x1.4p-22 + 0x1p-24, 0.0, 0x1.4p-22 - 0x1p-24}) {
          const auto computed = static_cast<float>(exact * (1 + off));
          EXPECT_LE(p.lo, computed) << form;
          EXPECT_GE(p.hi, computed) << form;
        }
      }
    }
  }
}

TEST(RecomputedWeights, LeaveOpenOnlyWhatExp2Does) {
  const auto weights = weights_of("exp2=0x1p-24");
  const Range32 p = weights->weight({3, 3}, weights->framed(1));
  const double exact = std::exp2(static_cast<double>((3 * 0.125F - 1) * kLog2e));
  EXPECT_LE(p.hi - p.lo, 2.01 * 0x1p-24 * exact);
}

TEST(RecomputedWeights, OfAFlushedExp2AreZeroOrNormal) {
  const auto flushed = weights_of("exp_ftz=yes");
  const auto kept = weights_of("exp_ftz=no");
  const Range32 tiny{-90 * 8, -90 * 8};  // exp(-90) is subnormal in binary32
  EXPECT_EQ(flushed->weight(tiny, 0).hi, 0);
  EXPECT_GT(kept->weight(tiny, 0).lo, 0);
  const Range32 both{-90 * 8, -80 * 8};
  EXPECT_EQ(flushed->weight(both, 0).lo, 0);
  EXPECT_GT(flushed->weight(both, 0).hi, 0x1p-126);
}

TEST(RecomputedWeights, KnowNothingOfOneThatMayOverflow) {
  const auto weights = weights_of("");
  EXPECT_FALSE(weights->weight({0, 8 * 90}, 0).is_finite());
  EXPECT_FALSE(weights->weight({-1e38F, std::numeric_limits<float>::infinity()}, 0).is_finite());
  EXPECT_TRUE(weights->weight({-1e38F, 0}, 0).is_finite());
}

TEST(RecomputedWeights, NeedEveryStepDeclared) {
  EXPECT_TRUE(weights_of("exponent=fused"));
  for (const char* open :
       {"exponent=unknown", "exp2=unknown", "exp_ftz=unknown", "scale_at=unknown", "ftz=unknown",
        "s_store=unknown", "exponent=fused;c=unknown"}) {
    EXPECT_FALSE(weights_of(open)) << open;
  }
  for (const char* other : {"scale_at=q:f16", "ftz=yes", "s_store=f16"}) {
    EXPECT_FALSE(weights_of(other)) << other;
  }
}

// A head of one pair.
HeadScores one_dot(double dot, double size, Index products = 2) {
  HeadScores dots;
  dots.n_k = 1;
  dots.rows = {{0, 1, products, true}};
  dots.dot = {dot};
  dots.size = {size};
  return dots;
}

Range32 computed(const HeadScores& dots, const std::string& changes = "") {
  const Resolved arithmetic = resolve(exact_backward(changes), Problem{});
  ReplayedDots replayed(arithmetic, dots, 16);
  replayed.enter(0);
  return replayed.at(0);
}

TEST(ReplayedDots, LieWithinTheBoundOfTheUnit) {
  const Range32 x = computed(one_dot(1, 3));  // two products, one chain: 2 u
  EXPECT_LE(x.lo, 1 - 5 * 0x1p-24);
  EXPECT_GE(x.lo, 1 - 7 * 0x1p-24);
  EXPECT_GE(x.hi, 1 + 4 * 0x1p-24);
  EXPECT_LE(x.hi, 1 + 7 * 0x1p-24);
  EXPECT_LT(computed(one_dot(1, 3), "unit=v100").lo, x.lo);
}

TEST(ReplayedDots, OfZerosAreZero) {
  const Range32 x = computed(one_dot(0, 0));
  EXPECT_EQ(x.lo, 0);
  EXPECT_EQ(x.hi, 0);
}

TEST(ReplayedDots, AreWhatTheUnitMakesOfThemWhereThatIsKnown) {
  const HeadScores dots = one_dot(1, 3);
  const Resolved arithmetic = resolve(exact_backward(), Problem{});
  ReplayedDots replayed(arithmetic, dots, 16);
  replayed.enter(0, {1 + 0x1p-23});
  EXPECT_EQ(replayed.at(0).lo, 1 + 0x1p-23F);
  EXPECT_EQ(replayed.at(0).hi, 1 + 0x1p-23F);
}

TEST(ReplayedDots, AreUnknownWhereAPartialSumMayOverflow) {
  EXPECT_FALSE(computed(one_dot(0, 0x1p127)).is_finite());
  EXPECT_TRUE(computed(one_dot(0, 0x1p126)).is_finite());
}

}  // namespace
}  // namespace attest::recomputed_weight_test
