// Goal: the errors that Lemmas 25 to 27 allow are never exceeded, by balls, and come close enough
// that the test is not empty; a lane has the bits of a scalar.
#include "oracle/doubled.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "oracle/doubled_exp.hpp"
#include "oracle/doubled_sums.hpp"
#include "tests/oracle/ball.hpp"

namespace attest::doubled_test {
namespace {

using Number = Doubled<double>;

Ball ball_of(const Number& x) { return Ball(x.hi) + Ball(x.lo); }

double size_of(const Ball& x) { return abs(x).ends().hi; }

// In normal form, with all of its bits in use, of either sign, near 2^exponent.
Number draw_number(std::uint32_t n, std::uint32_t what, int exponent) {
  const RandomBits bits = random_bits(9, {what, 0, 0, n, 0});
  const double hi = std::ldexp(1 + bits[0] * 0x1p-32 + bits[1] * 0x1p-52, exponent);
  const double lo = hi * (bits[2] * 0x1p-32 - 0.5) * 0x1.8p-54;
  const Number x = two_sum(hi, lo);
  return bits[3] % 2 == 0 ? x : Number{-x.hi, -x.lo};
}

struct Worst {
  double sum = 0, product = 0, quotient = 0, exp = 0, log = 0;
};

TEST(Doubled, OperationsStayWithinTheirLemma) {
  Worst worst;
  for (std::uint32_t n = 0; n < 20'000; ++n) {
    const Number a = draw_number(n, 1, static_cast<int>(n % 41) - 20);
    const Number b = draw_number(n, 2, static_cast<int>(n % 3) - 1);
    const Ball x = ball_of(a);
    const Ball y = ball_of(b);
    const double unit = kUnitSquared;
    const double sum = size_of(ball_of(sum_of(a, b)) - (x + y)) / (size_of(x) + size_of(y));
    const double product = size_of(ball_of(product_of(a, b)) - x * y) / size_of(x * y);
    const double quotient = size_of(ball_of(quotient_of(a, b)) - x / y) / size_of(x / y);
    worst.sum = std::max(worst.sum, sum / (5 * unit));
    worst.product = std::max(worst.product, product / (9 * unit));
    worst.quotient = std::max(worst.quotient, quotient / (13 * unit));
  }
  for (const double ratio : {worst.sum, worst.product, worst.quotient}) {
    EXPECT_LE(ratio, 1);
    EXPECT_GE(ratio, 0.1);
  }
}

TEST(Doubled, ExponentialAndLogarithmStayWithinTheirs) {
  Worst worst;
  std::vector<Number> z;
  for (std::uint32_t n = 0; n < 20'000; ++n) {
    Number x = draw_number(n, 3, static_cast<int>(n % 40) - 31);
    if (x.hi > 0) x = {-x.hi, -x.lo};
    if (x.hi < kLeastDoubledExponent) x = {-639 + x.hi * 0x1p-20, x.lo * 0x1p-20};
    z.push_back(x);
  }
  std::vector<Number> w;
  exp_of_each(z, w);
  for (std::size_t n = 0; n < z.size(); ++n) {
    const Number alone = exp_of(z[n]);
    EXPECT_EQ(w[n].hi, alone.hi);
    EXPECT_EQ(w[n].lo, alone.lo);
    const double error = size_of(log(ball_of(w[n])) - ball_of(z[n]));
    worst.exp = std::max(worst.exp, error / doubled_exp_log_error(std::fabs(z[n].hi)));
  }
  EXPECT_EQ(exp_of(Number{0, 0}).hi, 1);
  EXPECT_EQ(exp_of(Number{0, 0}).lo, 0);
  for (std::uint32_t n = 0; n < 5'000; ++n) {
    Number x = draw_number(n, 4, static_cast<int>(n % 50));
    if (x.hi < 0) x = {-x.hi, -x.lo};
    const double error = size_of(ball_of(log_of(x)) - log(ball_of(x)));
    worst.log = std::max(worst.log, error / doubled_log_error(std::log(x.hi)));
  }
  EXPECT_LE(worst.exp, 1);
  EXPECT_GE(worst.exp, 0.1);
  EXPECT_LE(worst.log, 1);
  EXPECT_GE(worst.log, 0.01);
}

// Terms of both signs that cancel to a small part of their magnitudes.
TEST(Doubled, SumsOfProductsStayWithinTheirLemma) {
  double worst = 0;
  for (std::uint32_t round = 0; round < 40; ++round) {
    const Index terms = 3 + 17 * round;
    const Index columns = 11;  // a whole lane and some more
    DoubledSums sums(1, static_cast<std::size_t>(columns));
    std::vector<Ball> exact(static_cast<std::size_t>(columns));
    std::vector<Ball> size(static_cast<std::size_t>(columns));
    for (Index n = 0; n < terms; ++n) {
      const Number x = draw_number(static_cast<std::uint32_t>(n), 5 + round, 0);
      std::vector<double> y;
      for (std::uint32_t c = 0; c < columns; ++c) {
        y.push_back(static_cast<float>(0.7 * gaussian(11, {round, 0, 0, std::uint32_t(n), c})));
        exact[c] += ball_of(x) * Ball(y[c]);
        size[c] += abs(ball_of(x) * Ball(y[c]));
      }
      sums.add(0, x, std::fabs(x.hi), y.data());
    }
    for (std::size_t c = 0; c < exact.size(); ++c) {
      const double error = size_of(ball_of(sums.sum(0, c)) - exact[c]);
      worst = std::max(worst, error / (2 * doubled_sum_error(terms) * size_of(size[c])));
      EXPECT_NEAR(sums.size(0, c), size_of(size[c]), 1e-12 * size_of(size[c]));
    }
  }
  EXPECT_LE(worst, 1);
  EXPECT_GT(worst, 0);
}

TEST(Doubled, DotProductsAreExactOrSayThatTheyAreNot) {
  Index exact = 0;
  for (std::uint32_t round = 0; round < 200; ++round) {
    const Index columns = 1 + round % 37;
    std::vector<double> x;
    std::vector<double> y;
    Ball sum;
    Ball size;
    for (std::uint32_t c = 0; c < columns; ++c) {
      const double a = gaussian(12, {1, 0, 0, round, c});
      const double b = gaussian(12, {2, 0, 0, round, c});
      // Of 8 bits every other time, of 24 else.
      x.push_back(round % 2 == 0 ? std::round(a * 64) / 64 : static_cast<float>(a / 3));
      y.push_back(round % 2 == 0 ? std::round(b * 64) / 64 : static_cast<float>(b / 3));
      sum += Ball(x.back()) * Ball(y.back());
      size += abs(Ball(x.back()) * Ball(y.back()));
    }
    const DoubledDot dot = dot_in_doubled(x.data(), y.data(), columns);
    const Ball error = abs(ball_of(dot.value) - sum);
    EXPECT_TRUE(error <= Ball(dot.exact ? 0 : doubled_sum_error(columns)) * size);
    exact += dot.exact;
  }
  EXPECT_GE(exact, 100);
  EXPECT_LT(exact, 200);
}

}  // namespace
}  // namespace attest::doubled_test
