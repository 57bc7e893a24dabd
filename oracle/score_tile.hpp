// score_tile.hpp - one query row's pass over one tile of scores in binary64: weights in the frame
// of the largest score so far, and the sums over weights that budgets are made of.
#pragma once

#include <limits>

#include "core/tensor.hpp"

namespace attest {

// Over the live keys met so far. w = exp(s - m), m the largest computed score so far, gap = m - s.
struct RowSums {
  double m = -std::numeric_limits<double>::infinity();
  double w = 0;    // sum of w
  double w_a = 0;  // sum of w a, and of w a^2
  double w_a2 = 0;
  double w_s = 0;  // sum of w |s|, and of w s^2
  double w_s2 = 0;
  double w_gap = 0;  // sum of w gap, and of w gap^2
  double w_gap2 = 0;
  double max_a = 0;
  double max_s = 0;  // largest |s|
  double max_gap = 0;
  Index argmax = 0;  // the first key with s = m
  Index rises = 0;   // how often a tile raised m after the first
  Index tiles = 0;   // that hold a live key
};

struct ScoreTile {
  Index first_key = 0;   // of the tile
  Index width = 0;       // keys, a multiple of kLanes
  Index live_first = 0;  // the row's live keys, counted from the tile's first
  Index live_end = 0;
  double scale = 1;
  double a_unit = 1;  // a = a_unit times what stands in `a`, plus a_least
  double a_least = 0;
  const float* a = nullptr;  // [width]
};

// `dots` holds q.k of the tile's keys and takes their weights, 0 where a key is not live; `narrow`
// takes the weights in binary32. Returns exp(old m - new m), by which everything that was summed up
// with older weights is to be multiplied.
[[nodiscard]] double weigh_tile(const ScoreTile& tile, double* dots, float* narrow, RowSums& row);

// x[n] *= factor.
void rescale(double* x, Index count, double factor);
void rescale(float* x, Index count, float factor);

}  // namespace attest
