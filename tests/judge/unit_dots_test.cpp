// Goal: the judge's rules and the emulator's units, written apart, give the same bits: on ordinary
// data, wide spreads, all finite patterns, cancellation and subnormals, over several steps.
#include "judge/unit_dots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/kernels/machine/products.hpp"

namespace attest::unit_dots_test {
namespace {

constexpr Index kSteps = 3;
constexpr Index kDepth = 16 * kSteps;
constexpr Unit kModelled[] = {Unit::fp32_seq, Unit::exact_rn, Unit::v100, Unit::a100, Unit::h100};

template <class Element>
struct Operands {
  std::vector<double> left;                                   // [16, kDepth]
  std::vector<double> right;                                  // [8, kDepth]
  Sums sums{};                                                // as the emulator chains its steps
  std::vector<double> largest = std::vector<double>(16 * 8);  // sum of |products|
};

template <class Element>
Operands<Element> run_steps(std::mt19937& engine, const Draw& draw, Unit unit) {
  Operands<Element> all;
  all.left.resize(16 * kDepth);
  all.right.resize(8 * kDepth);
  for (Index step = 0; step < kSteps; ++step) {
    Product<Element> product = draw_product<Element>(engine, draw);
    for (int row = 0; row < 16; ++row) {
      for (int n = 0; n < 8; ++n) product.c[row][n] = all.sums.value[row][n];
    }
    all.sums = multiply(product, *matrix_unit_of(unit));
    for (int k = 0; k < 16; ++k) {
      const Index at = 16 * step + k;
      for (int row = 0; row < 16; ++row) all.left[row * kDepth + at] = widen(product.a[row][k]);
      for (int n = 0; n < 8; ++n) all.right[n * kDepth + at] = widen(product.b[k][n]);
    }
  }
  for (int row = 0; row < 16; ++row) {
    for (int n = 0; n < 8; ++n) {
      for (Index at = 0; at < kDepth; ++at) {
        all.largest[row * 8 + n] +=
            std::fabs(all.left[row * kDepth + at] * all.right[n * kDepth + at]);
      }
    }
  }
  return all;
}

struct Found {
  Index same = 0;
  Index without_rule = 0;
};

template <class Element>
void expect_same_bits(Unit unit, Format format, const Draw& draw, std::mt19937& engine,
                      Found& found) {
  const auto all = run_steps<Element>(engine, draw, unit);
  const UnitDots dots(unit, format, all.right, kDepth);
  for (int row = 0; row < 16; ++row) {
    const std::span<const double> left(all.left.data() + row * kDepth, kDepth);
    const std::vector<double> own = dots.of(left, 1, 8);
    if (own.empty()) {
      ++found.without_rule;
      continue;
    }
    for (int n = 1; n < 8; ++n) {
      if (!(all.largest[row * 8 + n] < 0x1p126)) continue;  // no budget, and no replay
      ++found.same;
      EXPECT_EQ(own[static_cast<std::size_t>(n - 1)], static_cast<double>(all.sums.value[row][n]))
          << name_of(unit) << " row " << row << " column " << n;
    }
  }
}

template <class Element>
void expect_same_bits_on_all_draws(Format format) {
  for (const Unit unit : kModelled) {
    std::mt19937 engine(7);
    Found found;
    for (const Draw& draw : kDraws<Element>) {
      for (int n = 0; n < 25; ++n) {
        expect_same_bits<Element>(unit, format, draw, engine, found);
        if (::testing::Test::HasFailure()) return;
      }
    }
    EXPECT_GT(found.same, 7000) << name_of(unit);
    if (unit != Unit::exact_rn || format == Format::f16) {
      EXPECT_EQ(found.without_rule, 0) << name_of(unit);
    }
  }
}

TEST(UnitDots, OfF16AreTheEmulatorsBitForBit) { expect_same_bits_on_all_draws<Fp16>(Format::f16); }

TEST(UnitDots, OfBf16AreTheEmulatorsBitForBit) {
  expect_same_bits_on_all_draws<Bf16>(Format::bf16);
}

TEST(UnitDots, ZerosBehindTheLastColumnChangeNothing) {
  std::mt19937 engine(3);
  for (const Unit unit : kModelled) {
    const auto all = run_steps<Fp16>(engine, kDraws<Fp16>[0], unit);
    std::vector<double> left(all.left.begin(), all.left.begin() + 37);
    std::vector<double> right(all.right.begin(), all.right.begin() + 37);
    const double without = UnitDots(unit, Format::f16, right, 37).of(left, 0, 1).front();
    left.resize(kDepth);
    right.resize(kDepth);
    EXPECT_EQ(UnitDots(unit, Format::f16, right, kDepth).of(left, 0, 1).front(), without);
  }
}

TEST(UnitDots, NoRuleExistsForADeviceOrForWideInputs) {
  EXPECT_FALSE(UnitDots::has_rule(Unit::device, Format::f16));
  EXPECT_FALSE(UnitDots::has_rule(Unit::fp32_seq, Format::f32));
  EXPECT_TRUE(UnitDots::has_rule(Unit::v100, Format::bf16));
}

}  // namespace
}  // namespace attest::unit_dots_test
