// Goal: a tile product of the emulator reads and writes its fragments where the PTX ISA says, and a
// block of a truncating unit holds the right products.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/machine/emulator.hpp"
#include "tests/kernels/machine/products.hpp"

namespace attest::layout_test {
namespace {

// Whole matrices in and out of one warp, by the formulas of the ISA.
template <class Element>
struct OneProduct {
  static constexpr int kThreads = 32, kSharedBytes = 0;
  const Product<Element>* product;
  Sums* sums;

  void operator()() const {
    const int lane = lane_index();
    FragmentA<Element> a{};
    FragmentB<Element> b{};
    FragmentC c[1];
    const auto put = [](std::uint32_t* packs, int i, Element x) {
      packs[i / 2] |= static_cast<std::uint32_t>(x.bits) << (16 * (i % 2));
    };
    for (int i = 0; i < 8; ++i) {
      const auto [row, column] = place_in_a(lane, i);
      put(a.pack, i, product->a[row][column]);
    }
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_b(lane, i);
      put(b.pack, i, product->b[row][column]);
    }
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_c(lane, i);
      c[0].value[i] = product->c[row][column];
    }
    const FragmentB<Element> row_of_b[1] = {b};
    mma_m16n8k16(c, a, row_of_b);
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_c(lane, i);
      sums->value[row][column] = c[0].value[i];
    }
  }
};

template <class Element>
Sums multiply_in_a_warp(const Product<Element>& product, const MatrixUnit& unit) {
  Sums sums;
  Emulation emulation;
  emulation.unit = unit;
  Emulator emulator(emulation);
  emulator.launch(OneProduct<Element>{&product, &sums}, {});
  return sums;
}

// A single one in a picks a row of b; b and c hold a different number everywhere.
template <class Element>
void every_element_lands_where_the_isa_says() {
  Product<Element> product{};
  for (int i = 0; i < 128; ++i)
    product.b[i / 8][i % 8] = round_to<Element>(1.0f + static_cast<float>(i));
  for (int i = 0; i < 128; ++i) product.c[i / 8][i % 8] = 1000.0f + static_cast<float>(i);
  for (int row = 0; row < 16; ++row) {
    for (int k = 0; k < 16; ++k) {
      product.a[row][k] = round_to<Element>(1.0f);
      const Sums sums = multiply_in_a_warp(product, MatrixUnit::sequential());
      product.a[row][k] = {};
      for (int i = 0; i < 16; ++i) {
        for (int n = 0; n < 8; ++n) {
          const float picked = i == row ? widen(product.b[k][n]) : 0.0f;
          ASSERT_EQ(sums.value[i][n], product.c[i][n] + picked) << row << ", " << k;
        }
      }
    }
  }
}

TEST(Layout, OfFragmentsIsThatOfTheIsa) {
  every_element_lands_where_the_isa_says<Fp16>();
  every_element_lands_where_the_isa_says<Bf16>();
}

// A permutation of k that a and b share would pass above, but move products between blocks. Beside
// 1 - 1 in its own block a product of 2^-24 is cut; in a later block it meets a sum of zero.
TEST(Layout, PutsTheRightProductsIntoEachBlock) {
  for (const int width : {4, 8, 16}) {
    for (int k = 2; k < 16; ++k) {
      Product<Fp16> product{};
      for (auto& row : product.b) std::ranges::fill(row, round_to<Fp16>(1.0f));
      product.a[0][0] = round_to<Fp16>(1.0f);
      product.a[0][1] = round_to<Fp16>(-1.0f);
      product.a[0][k] = round_to<Fp16>(0x1p-24f);
      const float sum = multiply_in_a_warp(product, MatrixUnit::truncating(width, 23)).value[0][0];
      EXPECT_EQ(sum, k < width ? 0.0f : 0x1p-24f) << k << " of blocks of " << width;
    }
  }
}

TEST(Layout, LeavesTheArithmeticToTheUnitOfTheRun) {
  std::mt19937 engine(5);
  for (const Unit name : kUnits) {
    const auto unit = matrix_unit_of(name);
    if (!unit) continue;
    const auto product = draw_product<Bf16>(engine, kDraws<Bf16>[0]);
    const Sums in_a_warp = multiply_in_a_warp(product, *unit), bare = multiply(product, *unit);
    EXPECT_TRUE(std::equal(&bare.value[0][0], &bare.value[0][0] + 128, &in_a_warp.value[0][0]))
        << name_of(name);
  }
}

}  // namespace
}  // namespace attest::layout_test
