// warp_tiles.hpp - tiles held by a whole warp.
//
// They lie in the layout that mma_m16n8k16 wants, so that kernels speak of rows and columns
// instead of lanes. The 16 rows of a tile are spread over the lanes: each lane holds parts of two
// of them, and a row is shared by the four lanes of a quad.
//
// What touches shared or global memory passes on its caller's source line, so that the emulator
// names the kernel's line and not one of this file's.
#pragma once

#include "kernels/attention/band.hpp"
#include "kernels/attention/tile_plan.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

constexpr int kTileRows = kQueriesOfWarp;
constexpr int kRowsOfLane = 2;

ATTEST_DEVICE int row_of_lane(int r) { return lane_index() / 4 + 8 * r; }

// A matrix in shared memory with 8 elements of padding a row: a warp's fragment loads then hit 32
// different banks.
template <class Element, int kColumns>
struct SharedMatrix {
  static constexpr int kStride = kColumns + kRowPadding;
  static constexpr int bytes(int rows) { return rows * kStride * int(sizeof(Element)); }
  SharedSpan<Element> span;
};

// 16 x 16*kSteps values of 16 bits: a left operand.
template <class Element, int kSteps>
struct WarpOperand {
  FragmentA<Element> step[kSteps];
};

// 16 x 8*kTiles fp32 values: an accumulator.
template <int kTiles>
struct WarpTile {
  FragmentC tile[kTiles];

  ATTEST_DEVICE void fill(float value) {
    ATTEST_UNROLL
    for (int t = 0; t < kTiles; ++t) {
      ATTEST_UNROLL
      for (int e = 0; e < 4; ++e) tile[t].value[e] = value;
    }
  }

  // f(r, column, value) for each element of this lane; it lies in row row_of_lane(r).
  template <class F>
  ATTEST_DEVICE void for_each(F f) {
    ATTEST_UNROLL
    for (int t = 0; t < kTiles; ++t) {
      ATTEST_UNROLL
      for (int e = 0; e < 4; ++e)
        f(e / 2, 8 * t + 2 * (lane_index() % 4) + e % 2, tile[t].value[e]);
    }
  }
  // f(r, column, value, other's value)
  template <class F>
  ATTEST_DEVICE void for_each_with(WarpTile& other, F f) {
    ATTEST_UNROLL
    for (int t = 0; t < kTiles; ++t) {
      ATTEST_UNROLL
      for (int e = 0; e < 4; ++e) {
        f(e / 2, 8 * t + 2 * (lane_index() % 4) + e % 2, tile[t].value[e], other.tile[t].value[e]);
      }
    }
  }
};

// The four lanes of a quad hold one row. Every lane gets the result.
ATTEST_DEVICE float max_over_row(float x, Where where = Where::current()) {
  x = fmaxf(x, shuffle_xor(x, 1, where));
  return fmaxf(x, shuffle_xor(x, 2, where));
}
ATTEST_DEVICE float sum_over_row(float x, Where where = Where::current()) {
  x = x + shuffle_xor(x, 1, where);
  return x + shuffle_xor(x, 2, where);
}

// Columns 16 step .. 16 step + 15 of 16 rows of a shared matrix, from `first_row` on.
template <class Element, int kColumns>
ATTEST_DEVICE FragmentA<Element> load_step(const SharedMatrix<Element, kColumns>& from,
                                           int first_row, int step,
                                           Where where = Where::current()) {
  FragmentA<Element> to;
  ATTEST_UNROLL
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + row_of_lane(i % 2);
    const int column = 16 * step + 8 * (i / 2) + 2 * (lane_index() % 4);
    to.pack[i] = from.span.load_pair(row * from.kStride + column, where);
  }
  return to;
}

// All columns of those rows.
template <class Element, int kColumns>
ATTEST_DEVICE WarpOperand<Element, kColumns / 16> load_operand(
    const SharedMatrix<Element, kColumns>& from, int first_row, Where where = Where::current()) {
  WarpOperand<Element, kColumns / 16> to;
  ATTEST_UNROLL
  for (int s = 0; s < kColumns / 16; ++s) to.step[s] = load_step(from, first_row, s, where);
  return to;
}

// An accumulator rounded to 16 bits is a left operand, without an exchange: two 16x8 tiles make one
// 16x16 step.
template <class Element, int kTiles>
ATTEST_DEVICE WarpOperand<Element, kTiles / 2> round_to_operand(const WarpTile<kTiles>& from) {
  WarpOperand<Element, kTiles / 2> to;
  ATTEST_UNROLL
  for (int s = 0; s < kTiles / 2; ++s) {
    ATTEST_UNROLL
    for (int i = 0; i < 4; ++i) {
      const float* value = from.tile[2 * s + i / 2].value + 2 * (i % 2);
      to.step[s].pack[i] = pack<Element>(value[0], value[1]);
    }
  }
  return to;
}

// sum += a * b^T over columns 16 step .. 16 step + 15 of b. Row n of b is column n of the product:
// a column's neighbours lie side by side.
template <class Element, int kTiles, int kColumns>
ATTEST_DEVICE void multiply_step(WarpTile<kTiles>& sum, const FragmentA<Element>& a,
                                 const SharedMatrix<Element, kColumns>& b, int step,
                                 Where where = Where::current()) {
  FragmentB<Element> right[kTiles];
  ATTEST_UNROLL
  for (int t = 0; t < kTiles; ++t) {
    const int at = (8 * t + lane_index() / 4) * b.kStride + 16 * step + 2 * (lane_index() % 4);
    right[t] = {b.span.load_pair(at, where), b.span.load_pair(at + 8, where)};
  }
  mma_m16n8k16(sum.tile, a, right, where);
}

// sum += a * b^T
template <class Element, int kTiles, int kSteps>
ATTEST_DEVICE void multiply_by_transposed(WarpTile<kTiles>& sum,
                                          const WarpOperand<Element, kSteps>& a,
                                          const SharedMatrix<Element, 16 * kSteps>& b,
                                          Where where = Where::current()) {
  ATTEST_UNROLL
  for (int s = 0; s < kSteps; ++s) multiply_step(sum, a.step[s], b, s, where);
}

// The same with 16 rows of a shared matrix as a, whose fragments are loaded as they are needed.
template <class Element, int kTiles, int kColumns>
ATTEST_DEVICE void multiply_rows_by_transposed(WarpTile<kTiles>& sum,
                                               const SharedMatrix<Element, kColumns>& a,
                                               int first_row,
                                               const SharedMatrix<Element, kColumns>& b,
                                               Where where = Where::current()) {
  ATTEST_UNROLL
  for (int s = 0; s < kColumns / 16; ++s) {
    multiply_step(sum, load_step(a, first_row, s, where), b, s, where);
  }
}

// sum += a * columns first_column .. first_column + 8*kTiles - 1 of b. Here a column's neighbours
// lie a row apart, and are brought together.
template <class Element, int kTiles, int kSteps, int kColumns>
ATTEST_DEVICE void multiply_by_columns(WarpTile<kTiles>& sum, const WarpOperand<Element, kSteps>& a,
                                       const SharedMatrix<Element, kColumns>& b, int first_column,
                                       Where where = Where::current()) {
  const auto pair_below = [&](int at) {
    return b.span.load(at, where).bits | std::uint32_t(b.span.load(at + b.kStride, where).bits)
                                             << 16;
  };
  ATTEST_UNROLL
  for (int s = 0; s < kSteps; ++s) {
    FragmentB<Element> right[kTiles];
    ATTEST_UNROLL
    for (int t = 0; t < kTiles; ++t) {
      const int at =
          (16 * s + 2 * (lane_index() % 4)) * b.kStride + first_column + 8 * t + lane_index() / 4;
      right[t] = {pair_below(at), pair_below(at + 8 * b.kStride)};
    }
    mma_m16n8k16(sum.tile, a.step[s], right, where);
  }
}

// sum += a * b
template <class Element, int kTiles, int kSteps>
ATTEST_DEVICE void multiply_by(WarpTile<kTiles>& sum, const WarpOperand<Element, kSteps>& a,
                               const SharedMatrix<Element, 8 * kTiles>& b,
                               Where where = Where::current()) {
  multiply_by_columns(sum, a, b, 0, where);
}

// Lanes `mine` of kThreads together copy `rows` rows of `width` columns from row `first` of a
// matrix on. Rows outside `valid`, counted from `first`, and columns from `width` on become zeros:
// a NaN in a masked row would spoil even a product with a zero probability.
template <int kThreads, class Element, int kColumns>
ATTEST_DEVICE void copy_to_shared_by(int mine, const SharedMatrix<Element, kColumns>& to, int rows,
                                     const GlobalSpan<const Element>& from, std::int64_t first,
                                     int width, KeyRange valid, Where where) {
  constexpr int kChunk = Chunk<Element>::kCount;
  if (width % kChunk == 0) {  // then every row begins at a multiple of 16 bytes
    constexpr int kChunks = kColumns / kChunk;
    for (int i = mine; i < rows * kChunks; i += kThreads) {
      const int row = i / kChunks, column = i % kChunks * kChunk;
      Chunk<Element> chunk{};
      if (valid.holds(row) && column < width) {
        chunk = from.load16((first + row) * width + column, where);
      }
      to.span.store16(row * to.kStride + column, chunk, where);
    }
    return;
  }
  for (int i = mine; i < rows * kColumns; i += kThreads) {
    const int row = i / kColumns, column = i % kColumns;
    Element element{};
    if (valid.holds(row) && column < width) {
      element = from.load((first + row) * width + column, where);
    }
    to.span.store(row * to.kStride + column, element, where);
  }
}

// The same by all lanes of a block of kThreads.
template <int kThreads, class Element, int kColumns>
ATTEST_DEVICE void copy_to_shared(const SharedMatrix<Element, kColumns>& to, int rows,
                                  const GlobalSpan<const Element>& from, std::int64_t first,
                                  int width, KeyRange valid, Where where = Where::current()) {
  copy_to_shared_by<kThreads>(thread_index(), to, rows, from, first, width, valid, where);
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
