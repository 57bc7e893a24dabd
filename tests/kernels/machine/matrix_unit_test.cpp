// Goal: what every emulated unit does with infinities, NaN, zeros and overflow, and that several
// tiles of one call are several products. Finite sums are compared with integers elsewhere.
#include "kernels/machine/matrix_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/kernels/machine/products.hpp"

namespace attest::matrix_unit_test {
namespace {

constexpr MatrixUnit kAll[] = {MatrixUnit::sequential(), MatrixUnit::exact(), MatrixUnit::v100(),
                               MatrixUnit::a100(), MatrixUnit::h100()};
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

TEST(MatrixUnit, HasAModelForEveryUnitButADevice) {
  for (const Unit unit : kUnits) {
    EXPECT_EQ(matrix_unit_of(unit).has_value(), unit != Unit::device) << name_of(unit);
  }
  EXPECT_EQ(matrix_unit_of(Unit::fp32_seq), MatrixUnit::sequential());
  EXPECT_EQ(matrix_unit_of(Unit::exact_rn), MatrixUnit::exact());
  EXPECT_EQ(matrix_unit_of(Unit::v100), MatrixUnit::truncating(4, 23));
  EXPECT_EQ(matrix_unit_of(Unit::a100), MatrixUnit::truncating(8, 24));
  EXPECT_EQ(matrix_unit_of(Unit::h100), MatrixUnit::truncating(16, 25));
}

// One row of a, one column of b and one value of c, zeros elsewhere; the element where they meet.
struct Dot {
  float a[16];
  float b[16];
  float c;
};

template <class Element>
float value_of(const Dot& dot, const MatrixUnit& unit) {
  Product<Element> product{};
  for (int k = 0; k < 16; ++k) {
    product.a[9][k] = round_to<Element>(dot.a[k]);
    product.b[k][6] = round_to<Element>(dot.b[k]);
  }
  product.c[9][6] = dot.c;
  const Sums sums = multiply(product, unit);
  for (int n = 0; n < 6; ++n) EXPECT_TRUE(sums.value[8][n] == 0);
  return sums.value[9][6];
}

// In both formats and on every unit: equal, or both NaN, or zero with either sign.
void expect_everywhere(const Dot& dot, float wanted) {
  for (const MatrixUnit& unit : kAll) {
    for (const float got : {value_of<Fp16>(dot, unit), value_of<Bf16>(dot, unit)}) {
      EXPECT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted)))
          << got << " instead of " << wanted << " at width " << unit.width;
    }
  }
}

TEST(MatrixUnit, CarriesInfinitiesAndNanAsIeeeSumsDo) {
  for (const int k : {0, 7, 15}) {
    Dot dot{{1, 1}, {1, 1}, 0};
    const auto with = [&](float a, float b, float c) {
      Dot changed = dot;
      changed.a[k] = a;
      changed.b[k] = b;
      changed.c = c;
      return changed;
    };
    expect_everywhere(with(kInfinity, 2, 0), kInfinity);
    expect_everywhere(with(kInfinity, -2, 0), -kInfinity);
    expect_everywhere(with(-3, kInfinity, 5), -kInfinity);
    expect_everywhere(with(kInfinity, kInfinity, 0), kInfinity);
    expect_everywhere(with(kInfinity, 0, 0), kNan);
    expect_everywhere(with(-0.0f, -kInfinity, 1), kNan);
    expect_everywhere(with(kInfinity, 1, -kInfinity), kNan);
    expect_everywhere(with(kInfinity, 1, kInfinity), kInfinity);
    expect_everywhere(with(kNan, 1, 0), kNan);
    expect_everywhere(with(kNan, 0, 0), kNan);
    expect_everywhere(with(kNan, kInfinity, kInfinity), kNan);
    expect_everywhere(with(1, 1, kNan), kNan);
    expect_everywhere(with(0, 0, -kInfinity), -kInfinity);
  }
  expect_everywhere({{kInfinity, 1, -kInfinity}, {1, 1, 1}, 0}, kNan);
  expect_everywhere({{kInfinity, kInfinity}, {0, 0}, 1}, kNan);
  Dot far{{kInfinity}, {1}, 0};
  far.a[15] = -kInfinity;
  far.b[15] = 1;
  expect_everywhere(far, kNan);
}

TEST(MatrixUnit, LeavesAnAccumulatorAloneWhereAllProductsAreZero) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    for (const float c : {std::ldexp(1.0f, exponent), std::ldexp(-0x1.fffffep0f, exponent)}) {
      expect_everywhere({{}, {}, c}, c);
      expect_everywhere({{0, 1, -0.0f}, {1, 0, 0x1p-24f}, c}, c);
    }
  }
}

// A tile of zeros takes a short way. The same products of 0, from operands that are not all zero,
// do not: no bit may tell the two apart.
template <class Element>
void expect_the_short_way_to_agree(const MatrixUnit& unit, float c) {
  const Element one = round_to<Element>(1);
  Product<Element> plain{}, left{}, right{};
  left.a[3][5] = right.b[5][3] = one;
  plain.c[2][1] = left.c[2][1] = right.c[2][1] = c;
  // Neither operand is all zeros, and every product is 0: the long way.
  Product<Element> both = left;
  both.b[6][3] = one;
  const Sums of_both = multiply(both, unit);
  for (const auto* product : {&plain, &left, &right}) {
    const Sums of_zeros = multiply(*product, unit);
    for (int i = 0; i < 16; ++i) {
      for (int n = 0; n < 8; ++n) {
        const float a = of_zeros.value[i][n], z = of_both.value[i][n];
        if (std::isnan(a) && std::isnan(z)) continue;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(z)) << c;
      }
    }
  }
}

TEST(MatrixUnit, GivesTheSameBitsWhereATileIsPadding) {
  std::vector<float> accumulators = {0, -0.0f, kInfinity, -kInfinity, kNan, kLargest, 1};
  for (int exponent = -149; exponent < 128; ++exponent) {
    accumulators.push_back(std::ldexp(-0x1.2345p0f, exponent));
    accumulators.push_back(std::ldexp(0x1.fffffep0f, exponent));
  }
  for (const MatrixUnit& unit : kAll) {
    for (const float c : accumulators) {
      expect_the_short_way_to_agree<Fp16>(unit, c);
      expect_the_short_way_to_agree<Bf16>(unit, c);
    }
  }
}

// 0 x infinity is NaN, also beside nothing but zeros.
TEST(MatrixUnit, TakesNoShortWayPastAnOperandThatIsNotFinite) {
  for (const MatrixUnit& unit : kAll) {
    for (const float x : {kInfinity, -kInfinity, kNan}) {
      EXPECT_TRUE(std::isnan(value_of<Fp16>({{x}, {}, 1}, unit)));
      EXPECT_TRUE(std::isnan(value_of<Bf16>({{}, {x}, 1}, unit)));
    }
  }
}

TEST(MatrixUnit, NeverMakesAZeroOfAnInfinityAndASubnormal) {
  expect_everywhere({{kInfinity}, {0x1p-24f}, 0}, kInfinity);
  expect_everywhere({{kInfinity}, {-0x1p-24f}, 0x1p-149f}, -kInfinity);
}

TEST(MatrixUnit, GivesPositiveZeroWhereTermsCancel) {
  for (const MatrixUnit& unit : kAll) {
    for (const Dot& dot : {Dot{{1, -1}, {3, 3}, 0}, Dot{{2}, {2}, -4}, Dot{{}, {}, 0}}) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value_of<Fp16>(dot, unit)), 0u);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value_of<Bf16>(dot, unit)), 0u);
    }
  }
}

TEST(MatrixUnit, OverflowsToInfinityAlsoWhereItTruncates) {
  constexpr float kBig = 0x1p120f;  // of bf16
  for (const MatrixUnit& unit : kAll) {
    EXPECT_EQ(value_of<Bf16>({{kBig, kBig}, {0x1p7f, 0x1p7f}, 0}, unit), kInfinity);
    EXPECT_EQ(value_of<Bf16>({{kBig}, {-kBig}, 0}, unit), -kInfinity);
    EXPECT_EQ(value_of<Bf16>({{kBig}, {0x1p7f}, 0x1p127f}, unit), kInfinity);
    EXPECT_EQ(value_of<Fp16>({{1}, {1}, kLargest}, unit), kLargest);
    // 2^103 is half a step: to nearest it goes up, a unit that truncates drops it.
    const bool truncates = unit.rule == MatrixUnit::Rule::truncating;
    EXPECT_EQ(value_of<Bf16>({{0x1p100f}, {8}, kLargest}, unit), truncates ? kLargest : kInfinity);
  }
}

// Where an FMA differs from a product that is rounded first.
TEST(MatrixUnit, OfFp32SeqRoundsOnceEvenWhereTheProductLeavesBinary32) {
  const MatrixUnit unit = MatrixUnit::sequential();
  EXPECT_EQ(value_of<Bf16>({{0x1p100f}, {0x1p28f}, -0x1p127f}, unit), 0x1p127f);
  EXPECT_EQ(value_of<Bf16>({{0x1.8p-100f}, {0x1p-50f}, 0x1p-149f}, unit), 0x1p-148f);
  EXPECT_EQ(value_of<Bf16>({{0x1.8p-100f}, {-0x1p-50f}, 0x1p-149f}, unit), 0.0f);
}

// In units of the last place that h100 keeps this sum exceeds 2^31.
TEST(MatrixUnit, HoldsSixteenProductsOfTheLargestSignificands) {
  Product<Fp16> product{};
  for (auto& row : product.a) std::ranges::fill(row, Fp16{0x3fff});
  for (auto& row : product.b) std::ranges::fill(row, Fp16{0x3fff});
  for (auto& row : product.c) std::ranges::fill(row, 1.5f);
  for (const MatrixUnit& unit : {MatrixUnit::exact(), MatrixUnit::h100()}) {
    for (const auto& row : multiply(product, unit).value) {
      for (const float x : row) EXPECT_EQ(x, 64 - 0x1p-4f + 0x1p-16f + 1.5f);
    }
  }
}

template <class Element>
void several_tiles_are_several_products() {
  constexpr int kTiles = 5;
  std::mt19937 engine(3);
  for (const MatrixUnit& unit : kAll) {
    const auto first = draw_product<Element>(engine, kDraws<Element>[1]);
    PackedB b[kTiles];
    PackedC together[kTiles], alone[kTiles];
    for (int t = 0; t < kTiles; ++t) {
      const auto other = draw_product<Element>(engine, kDraws<Element>[1]);
      b[t] = packed_b(other);
      std::copy(&other.c[0][0], &other.c[0][0] + 128, &together[t].value[0][0]);
      alone[t] = together[t];
    }
    multiply_accumulate<Element>(unit, packed_a(first), b, together, kTiles);
    for (int t = 0; t < kTiles; ++t) {
      multiply_accumulate<Element>(unit, packed_a(first), &b[t], &alone[t], 1);
      EXPECT_EQ(std::memcmp(&together[t], &alone[t], sizeof alone[t]), 0);
    }
  }
}

TEST(MatrixUnit, MultipliesARowOfTilesOneByOne) {
  several_tiles_are_several_products<Fp16>();
  several_tiles_are_several_products<Bf16>();
}

TEST(MatrixUnitDeathTest, RefusesAUnitThatItCannotHold) {
  const Dot dot{};
  EXPECT_DEATH((void)value_of<Fp16>(dot, MatrixUnit::truncating(16, 26)), "fraction_bits");
  EXPECT_DEATH((void)value_of<Fp16>(dot, MatrixUnit::truncating(32, 25)), "width");
}

}  // namespace
}  // namespace attest::matrix_unit_test
