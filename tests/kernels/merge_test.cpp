// Goal: merging parts is the algebra that splitting relies on: an empty part changes nothing, order
// does not matter, grouping matters within rounding, and no LSE is too large or too small.
#include "kernels/canaries/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/random.hpp"

namespace attest::merge_test {
namespace {

constexpr double kU = 0x1p-24;
constexpr Combine kCombines[] = {Combine::divide, Combine::exp_lse};

Part merged(std::initializer_list<Part> parts, Combine combine) {
  Part whole{std::vector<float>(parts.begin()->o.size()), 0};
  (void)merge_parts(NoFault{}, std::span(parts.begin(), parts.size()), combine, false, whole);
  return whole;
}

Part empty() { return {{0, 0, 0}, kMinusInfinity}; }

// LSEs within +-range, outputs of any sign.
Part random_part(std::uint64_t seed, std::uint32_t n, double range) {
  Part part{{0, 0, 0}, static_cast<float>(range * (2 * uniform(seed, {9, n, 0, 0, 0}) - 1))};
  for (std::uint32_t k = 0; k < 3; ++k) {
    part.o[k] = static_cast<float>(gaussian(seed, {10, n, 0, 0, k}));
  }
  return part;
}

void expect_same(const Part& a, const Part& z) {
  EXPECT_EQ(a.o, z.o);
  EXPECT_EQ(a.lse, z.lse);
}

TEST(Merge, AnEmptyPartIsTheIdentity) {
  for (const Combine combine : kCombines) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Part part = random_part(seed, 0, 200);
      expect_same(merged({part}, combine), part);
      expect_same(merged({part, empty()}, combine), part);
      expect_same(merged({empty(), empty(), part, empty()}, combine), part);
    }
  }
}

TEST(Merge, EmptyPartsAreEmpty) {
  for (const Combine combine : kCombines) {
    expect_same(merged({empty()}, combine), empty());
    expect_same(merged({empty(), empty()}, combine), empty());
    Part whole = empty();
    const Part parts[] = {empty(), empty()};
    EXPECT_FALSE(merge_parts(NoFault{}, parts, combine, false, whole));
  }
}

TEST(Merge, TwoPartsGiveTheSameBitsInEitherOrder) {
  for (const Combine combine : kCombines) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Part a = random_part(seed, 0, seed % 2 == 0 ? 2 : 200);
      const Part z = random_part(seed, 1, seed % 2 == 0 ? 2 : 200);
      expect_same(merged({a, z}, combine), merged({z, a}, combine));
    }
  }
}

TEST(Merge, NeitherOverflowsNorLosesAPartAtLsesOf200) {
  for (const Combine combine : kCombines) {
    const Part low{{1, 2, 3}, -200};
    const Part high{{5, 6, 7}, 200};
    expect_same(merged({low, high}, combine), high);
    for (const float lse : {-200.0f, 200.0f}) {
      const Part a{{1, 2, 3}, lse};
      const Part z{{3, 2, 1}, lse};
      const Part whole = merged({a, z}, combine);
      EXPECT_NEAR(whole.lse, lse + std::log(2.0), 200 * kU);
      // exp_lse alone sees the rounding of LSE, half a place at 200.
      const double error = combine == Combine::divide ? 0 : 2 * (2 * 200 + 4) * kU;
      for (const float o : whole.o) EXPECT_NEAR(o, 2, error);
    }
  }
}

// Of a merge of two with outputs up to `v` and LSEs up to `lse` in magnitude and `gap` apart,
// against the exact merge of what it got. With tau = 2.25 u gap + 1.01 u, the error of a weight
// (two roundings and the constant's of the exponent, and exp2's), the sum of weights errs by
// tau + u relatively; LSE by that, a rounding of log l <= log 2, and one of the sum. O errs by
// tau + 2u in each term, by the sum of weights and its own division; combined by exp_lse, by LSE's
// error in place of those.
struct MergeError {
  double o;
  double lse;

  MergeError(double v, double largest_lse, double gap) {
    const double tau = 2.25 * kU * gap + 1.01 * kU;
    lse = 1.01 * (tau + 2 * kU + kU * (largest_lse + 0.7));
    o = 1.01 * v * (2 * tau + 4 * kU + lse) + v * 0x1p-148;
  }
};

TEST(Merge, IsAssociativeWithinItsRoundings) {
  for (const Combine combine : kCombines) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const double range = std::array{1.0, 20.0, 200.0}[seed % 3];
      const Part a = random_part(seed, 0, range);
      const Part b = random_part(seed, 1, range);
      const Part c = random_part(seed, 2, range);
      const Part left = merged({merged({a, b}, combine), c}, combine);
      const Part right = merged({a, merged({b, c}, combine)}, combine);
      double v = 0;
      for (const Part& part : {a, b, c}) {
        for (const float o : part.o) v = std::max<double>(v, std::fabs(o));
      }
      // Each grouping merges twice; the first merge's LSE error e moves the second one's weights by
      // a factor exp(+-e), its O by at most 2 v e.
      const MergeError once(v, range + 1.1, 2 * range + 1.1);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LE(std::fabs(left.o[k] - right.o[k]), 2 * (2 * once.o + 2.01 * v * once.lse));
      }
      EXPECT_LE(std::fabs(left.lse - right.lse), 2 * 2 * once.lse);
    }
  }
}

TEST(Merge, KeepsANanPartInTheWhole) {
  const Part nan{{NAN, NAN, NAN}, NAN};
  for (const Combine combine : kCombines) {
    EXPECT_TRUE(std::isnan(merged({empty(), nan}, combine).lse));
    EXPECT_TRUE(std::isnan(merged({nan, random_part(1, 0, 1)}, combine).o[0]));
  }
}

}  // namespace
}  // namespace attest::merge_test
