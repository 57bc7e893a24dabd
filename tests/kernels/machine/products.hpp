// products.hpp - 16x8x16 products for the tests of matrix units: drawing, packing, running.
//
// Packing goes by the formulas of the PTX ISA ("Matrix Fragments for mma.m16n8k16 with floating
// point type"), element by element, and not by the quarters of which the emulator thinks.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "kernels/machine/conversions.hpp"
#include "kernels/machine/matrix_unit.hpp"

namespace attest {

struct MatrixPlace {
  int row, column;
};

// Where element i of a lane's fragment stands in its matrix; laneid >> 2 and laneid % 4 as there.
inline MatrixPlace place_in_a(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  const bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
  return {upper ? group : group + 8, thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
inline MatrixPlace place_in_b(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {thread * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
}
inline MatrixPlace place_in_c(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

// Matrices as one writes them down.
template <class Element>
struct Product {
  Element a[16][16];
  Element b[16][8];
  float c[16][8];
};

template <class Element>
PackedA packed_a(const Product<Element>& product) {
  PackedA packed{};
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) {
      const auto [row, column] = place_in_a(lane, i);
      packed.pack[i / 2][lane] |= static_cast<std::uint32_t>(product.a[row][column].bits)
                                  << (16 * (i % 2));
    }
  }
  return packed;
}

template <class Element>
PackedB packed_b(const Product<Element>& product) {
  PackedB packed{};
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_b(lane, i);
      packed.pack[i / 2][lane] |= static_cast<std::uint32_t>(product.b[row][column].bits)
                                  << (16 * (i % 2));
    }
  }
  return packed;
}

struct Sums {
  float value[16][8];
};

// a b + c as `unit` computes it.
template <class Element>
Sums multiply(const Product<Element>& product, const MatrixUnit& unit) {
  PackedC packed;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_c(lane, i);
      packed.pair(i / 2, lane)[i % 2] = product.c[row][column];
    }
  }
  const PackedB b = packed_b(product);
  multiply_accumulate<Element>(unit, packed_a(product), &b, &packed, 1);
  Sums sums;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_c(lane, i);
      sums.value[row][column] = packed.pair(i / 2, lane)[i % 2];
    }
  }
  return sums;
}

// What operands look like: normal numbers times 2^centre, times a power of two drawn from -spread
// to spread, an eighth of them zero. A negative spread draws every finite bit pattern alike
// instead.
struct Draw {
  int centre;
  int spread;
  int c_centre;
  bool cancelling = false;  // every other product is its neighbour's opposite, in most columns
};

template <class Element>
Element draw_operand(std::mt19937& engine, const Draw& draw) {
  if (draw.spread < 0) {
    Element x{};
    do x.bits = static_cast<std::uint16_t>(engine());
    while (!std::isfinite(widen(x)));
    return x;
  }
  if (engine() % 8 == 0) return round_to<Element>(engine() % 2 == 0 ? 0.0f : -0.0f);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> power(draw.centre - draw.spread, draw.centre + draw.spread);
  const Element x = round_to<Element>(std::ldexp(normal(engine), power(engine)));
  return std::isfinite(widen(x)) ? x : round_to<Element>(1.0f);
}

inline float draw_accumulator(std::mt19937& engine, const Draw& draw) {
  if (engine() % 8 == 0) return 0;
  if (draw.spread < 0) {
    float x = 0;
    do x = std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    while (!std::isfinite(x));
    return x;
  }
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> power(draw.c_centre - draw.spread,
                                           draw.c_centre + draw.spread);
  const float x = std::ldexp(normal(engine), power(engine));
  return std::isfinite(x) ? x : 1.0f;
}

template <class Element>
void make_cancel(Product<Element>& product) {
  for (int k = 0; k < 16; k += 2) {
    for (auto& row : product.a) row[k + 1].bits = row[k].bits ^ 0x8000;
    for (int n = 0; n < 6; ++n) product.b[k + 1][n] = product.b[k][n];
  }
  for (auto& row : product.a) std::swap(row[3], row[12]);
  std::swap(product.b[3], product.b[12]);
}

template <class Element>
Product<Element> draw_product(std::mt19937& engine, const Draw& draw) {
  Product<Element> product;
  for (auto& row : product.a) {
    for (Element& x : row) x = draw_operand<Element>(engine, draw);
  }
  for (auto& row : product.b) {
    for (Element& x : row) x = draw_operand<Element>(engine, draw);
  }
  for (auto& row : product.c) {
    for (float& x : row) x = draw_accumulator(engine, draw);
  }
  if (draw.cancelling) make_cancel(product);
  return product;
}

// Ordinary data, wide spreads, all finite patterns, cancellation, and the ends where results under-
// and overflow.
template <class Element>
constexpr Draw kDraws[] = {{0, 2, 0},          {0, 12, 0},    {0, -1, 0},
                           {0, 12, -40, true}, {-12, 6, -24}, {12, 3, 26}};
template <>
inline constexpr Draw kDraws<Bf16>[] = {{0, 2, 0},          {0, 40, 0},     {0, -1, 0},
                                        {0, 50, -60, true}, {-68, 5, -140}, {61, 4, 124},
                                        {-50, 8, -100},     {-64, 20, -149}};

}  // namespace attest
