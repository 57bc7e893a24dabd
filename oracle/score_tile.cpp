#include "oracle/score_tile.hpp"

#include <algorithm>
#include <tuple>

#include "oracle/lanes.hpp"

namespace attest {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Calls step with an index and a number of the type to work in: whole lanes in the middle of
// first <= n < end, one key at a time at its ends.
template <class Step>
ATTEST_LANES_INLINE void for_lanes(Index first, Index end, const Step& step) {
  const Index aligned = std::min(end, (first + kLanes - 1) / kLanes * kLanes);
  const Index whole = std::max(aligned, end / kLanes * kLanes);
  for (Index n = first; n < aligned; ++n) step(n, double{});
  for (Index n = aligned; n < whole; n += kLanes) step(n, Lanes{});
  for (Index n = whole; n < end; ++n) step(n, double{});
}

// What each width of a step sums up by itself.
template <class X>
struct Partial {
  X w{}, a{}, a2{}, s{}, s2{}, gap{}, gap2{};
  X max_a{}, max_s{}, max_gap{};

  ATTEST_LANES_INLINE void add_to(RowSums& row) const {
    row.w += sum_of(w);
    row.w_a += sum_of(a);
    row.w_a2 += sum_of(a2);
    row.w_s += sum_of(s);
    row.w_s2 += sum_of(s2);
    row.w_gap += sum_of(gap);
    row.w_gap2 += sum_of(gap2);
    row.max_a = std::max(row.max_a, largest_of(max_a));
    row.max_s = std::max(row.max_s, largest_of(max_s));
    row.max_gap = std::max(row.max_gap, largest_of(max_gap));
  }
};

// Scales the live dots in place and returns the largest score.
ATTEST_LANES_INLINE double largest_score(const ScoreTile& tile, double* dots) {
  double one = kNever;
  Lanes many = Lanes{} + kNever;
  for_lanes(tile.live_first, tile.live_end, [&](Index n, auto s) {
    load(dots + n, s);
    s = s * tile.scale;
    store(s, dots + n);
    if constexpr (sizeof s == sizeof(double)) {
      one = larger(one, s);
    } else {
      many = larger(many, s);
    }
  });
  return larger(one, largest_of(many));
}

// Turns sums in the frame of row.m into those of m, at least as large: gap grows with m.
double raise_frame(double m, RowSums& row) {
  if (row.m == kNever) {
    row.m = m;
    return 1;
  }
  const double rise = m - row.m;
  const double factor = exp_of(-rise);
  row.max_gap += rise;
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
  std::fill(dots, dots + tile.live_first, 0.0);
  std::fill(narrow, narrow + tile.live_first, 0.0F);
  std::fill(dots + tile.live_end, dots + tile.width, 0.0);
  std::fill(narrow + tile.live_end, narrow + tile.width, 0.0F);
  Partial<double> one;
  Partial<Lanes> many;
  for_lanes(tile.live_first, tile.live_end, [&](Index n, auto s) {
    auto& sums = std::get<Partial<decltype(s)>&>(std::tie(one, many));
    load(dots + n, s);
    const auto gap = row.m - s;
    const auto w = exp_of(-gap);
    store(w, dots + n);
    store(w, narrow + n);
    auto a = s;
    load(tile.a + n, a);
    a = a * tile.a_unit + tile.a_least;
    const auto abs_s = magnitude(s);
    const auto w_a = w * a;
    const auto w_s = w * abs_s;
    const auto w_gap = w * gap;
    sums.w += w;
    sums.a += w_a;
    sums.a2 += w_a * a;
    sums.s += w_s;
    sums.s2 += w_s * abs_s;
    sums.gap += w_gap;
    sums.gap2 += w_gap * gap;
    sums.max_a = larger(sums.max_a, a);
    sums.max_s = larger(sums.max_s, abs_s);
    sums.max_gap = larger(sums.max_gap, gap);
  });
  one.add_to(row);
  many.add_to(row);
  return factor;
}

void rescale(double* x, Index count, double factor) {
  for (Index n = 0; n < count; ++n) x[n] *= factor;
}

void rescale(float* x, Index count, float factor) {
  for (Index n = 0; n < count; ++n) x[n] *= factor;
}

}  // namespace attest
