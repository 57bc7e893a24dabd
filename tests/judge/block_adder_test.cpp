// Goal: the accumulation constants of truncating units hold for an adder that works as theirs do,
// on full, ragged and sparse blocks, and are no larger than it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "judge/arithmetic.hpp"
#include "tests/judge/declarations.hpp"

namespace attest::block_adder_test {
namespace {

constexpr double kU = 0x1p-24;

// Gam in units of u, before it is divided by 1 - Gam.
double bound_of(Unit unit, std::size_t length, std::size_t products) {
  Numerics n = sharpest();
  n.unit = unit;
  const double gam =
      gam_of_dot(resolve(n, {}), static_cast<Index>(length), static_cast<Index>(products));
  return gam / (1 + gam) / kU;
}

// The adder that the constants are about: terms cut to F fraction bits below the largest exponent,
// added exactly, the sum cut to binary32.
double toward_zero(double x, int exponent) {
  return std::ldexp(std::trunc(std::ldexp(x, -exponent)), exponent);
}

double block_sum(const std::vector<double>& terms, int fraction_bits) {
  int top = -10'000;
  for (const double t : terms) {
    if (t != 0) top = std::max(top, std::ilogb(t));
  }
  double sum = 0;
  for (const double t : terms) sum += toward_zero(t, top - fraction_bits);
  return sum == 0 ? 0 : toward_zero(sum, std::ilogb(sum) - 23);
}

struct Adder {
  Unit unit;
  std::size_t width;
  int fraction_bits;
};

// |computed - exact| over (u sum |x|), of one random dot with `products` of `length` slots taken.
double loss_of(const Adder& adder, std::size_t length, std::size_t products,
               std::mt19937_64& random) {
  std::vector<double> x(length);
  const int spread = 1 + static_cast<int>(random() % 30);
  for (std::size_t n = 0; n < products; ++n) {
    // A product of two 11-bit significands, most of its low bits set.
    const double significand = 0x1p20 + static_cast<double>(random() % 0x100000 | 0xf);
    x[n] = std::ldexp(significand, -20 - static_cast<int>(random() % spread));
    if (random() % 8 == 0) x[n] = -x[n];
  }
  std::shuffle(x.begin(), x.end(), random);
  double computed = 0;
  double exact = 0;  // spread and length are small enough for binary64
  double magnitude = 0;
  for (std::size_t first = 0; first < length; first += adder.width) {
    std::vector<double> terms{computed};
    for (std::size_t n = first; n < std::min(length, first + adder.width); ++n) {
      terms.push_back(x[n]);
      exact += x[n];
      magnitude += std::fabs(x[n]);
    }
    computed = block_sum(terms, adder.fraction_bits);
  }
  return std::fabs(computed - exact) / magnitude / kU;
}

TEST(BlockAdderLaw, LosesNoMoreThanTheConstant) {
  std::mt19937_64 random(5);
  constexpr Adder kAdders[] = {{Unit::v100, 4, 23}, {Unit::a100, 8, 24}, {Unit::h100, 16, 25}};
  for (const Adder& adder : kAdders) {
    double worst = 0;
    for (int n = 0; n < 30'000; ++n) {
      const std::size_t length = 1 + random() % 40;
      const std::size_t products = 1 + random() % length;
      const double loss = loss_of(adder, length, products, random);
      const double bound = bound_of(adder.unit, length, products);
      ASSERT_LE(loss, bound) << name_of(adder.unit) << ' ' << products << " of " << length;
      worst = std::max(worst, loss / bound);
    }
    EXPECT_GT(worst, 0.5) << name_of(adder.unit);  // the trial comes near the bound
  }
}

}  // namespace
}  // namespace attest::block_adder_test
