#include "oracle/score_tile.hpp"

#include <algorithm>

#include "oracle/lanes.hpp"

namespace attest {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

ATTEST_LANES_INLINE LaneBits live_lanes(const ScoreTile& tile, Index from) {
  const LaneBits index = LaneBits{0, 1, 2, 3, 4, 5, 6, 7} + from;
  return (index >= tile.live_first) & (index < tile.live_end);
}

// Scales the dots in place and returns the largest live score.
ATTEST_LANES_INLINE double largest_score(const ScoreTile& tile, double* dots) {
  Lanes largest = Lanes{} + kNever;
  for (Index n = 0; n < tile.width; n += kLanes) {
    const Lanes s = load_lanes(dots + n) * tile.scale;
    store_lanes(s, dots + n);
    largest = larger(largest, live_lanes(tile, n) ? s : Lanes{} + kNever);
  }
  double result = kNever;
  for (int n = 0; n < kLanes; ++n) result = std::max(result, largest[n]);
  return result;
}

// Turns sums in the frame of row.m into those of m, at least as large: gap grows with m.
double raise_frame(double m, RowSums& row) {
  if (row.m == kNever) {
    row.m = m;
    return 1;
  }
  const double rise = m - row.m;
  const double factor = exp_of(-rise);
  row.w_gap2 = (row.w_gap2 + 2 * rise * row.w_gap + rise * rise * row.w) * factor;
  row.w_gap = (row.w_gap + rise * row.w) * factor;
  for (double* sum : {&row.w, &row.w_a, &row.w_a2, &row.w_s, &row.w_s2}) *sum *= factor;
  row.m = m;
  ++row.rises;
  return factor;
}

}  // namespace

ATTEST_WIDEST_LANES
double weigh_tile(const ScoreTile& tile, double* dots, float* narrow, RowSums& row) {
  const double largest = largest_score(tile, dots);
  double factor = 1;
  if (largest > row.m) {
    factor = raise_frame(largest, row);
    for (Index n = tile.live_first; n < tile.live_end; ++n) {
      if (dots[n] != largest) continue;
      row.argmax = tile.first_key + n;
      break;
    }
  }
  ++row.tiles;
  Lanes w_sum = {}, a_sum = {}, a2_sum = {}, s_sum = {}, s2_sum = {}, gap_sum = {}, gap2_sum = {};
  Lanes max_a = {}, max_s = {}, least_s = Lanes{} - kNever;
  for (Index n = 0; n < tile.width; n += kLanes) {
    const LaneBits live = live_lanes(tile, n);
    const Lanes s = load_lanes(dots + n);
    const Lanes gap = row.m - s;
    const Lanes exponential = exp_of(-gap);
    const Lanes w = live ? exponential : Lanes{};
    store_lanes(w, dots + n);
    store_lanes(w, narrow + n);
    const Lanes a = load_lanes(tile.a + n) * tile.a_unit + tile.a_least;
    const Lanes abs_s = magnitude(s);
    const Lanes w_a = w * a;
    const Lanes w_s = w * abs_s;
    const Lanes w_gap = w * gap;
    w_sum += w;
    a_sum += w_a;
    a2_sum += w_a * a;
    s_sum += w_s;
    s2_sum += w_s * abs_s;
    gap_sum += w_gap;
    gap2_sum += w_gap * gap;
    max_a = larger(max_a, live ? a : Lanes{});
    max_s = larger(max_s, live ? abs_s : Lanes{});
    least_s = smaller(least_s, live ? s : Lanes{} - kNever);
  }
  row.w += sum_of(w_sum);
  row.w_a += sum_of(a_sum);
  row.w_a2 += sum_of(a2_sum);
  row.w_s += sum_of(s_sum);
  row.w_s2 += sum_of(s2_sum);
  row.w_gap += sum_of(gap_sum);
  row.w_gap2 += sum_of(gap2_sum);
  for (int n = 0; n < kLanes; ++n) {
    row.max_a = std::max(row.max_a, max_a[n]);
    row.max_s = std::max(row.max_s, max_s[n]);
    row.least_s = std::min(row.least_s, least_s[n]);
  }
  return factor;
}

void rescale(double* x, Index count, double factor) {
  for (Index n = 0; n < count; ++n) x[n] *= factor;
}

void rescale(float* x, Index count, float factor) {
  for (Index n = 0; n < count; ++n) x[n] *= factor;
}

}  // namespace attest
