#include "oracle/gradient_tile.hpp"

#include <algorithm>

#include "oracle/lanes.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;

template <class X>
void clear_outside(const GradientTile& tile, X* x) {
  std::fill(x, x + tile.live_first, X{});
  std::fill(x + tile.live_end, x + tile.width, X{});
}

}  // namespace

ATTEST_WIDEST_LANES
void work_gradient_tile(const GradientTile& tile, double* dots, double* products,
                        float* weight_costs, float* score_costs) {
  clear_outside(tile, dots);
  clear_outside(tile, products);
  clear_outside(tile, weight_costs);
  clear_outside(tile, score_costs);
  const double to_weight = 1 / tile.weight_unit;
  const double to_score = tile.scores ? 1 / tile.score_unit : 0;
  const double keep = tile.scores ? 1 : 0;
  const auto step = [&](Index n, auto s) {
    auto x = s, k_norm = s, v_norm = s;
    load(dots + n, s);
    load(products + n, x);
    load(tile.k_norm + n, k_norm);
    load(tile.v_norm + n, v_norm);
    const auto p = exp_of(s * tile.scale - tile.lse);  // error-analysis.md, Lemma 20
    const auto difference = x - tile.d;
    const auto size = magnitude(difference);
    const auto relative = k_norm * tile.score_error + (tile.log_error + tile.rounding);
    const auto error = v_norm * tile.dp_error + tile.d_error + size * kRoundoff;
    store(p, dots + n);
    store(p * difference * keep, products + n);
    store(p * relative * to_weight, weight_costs + n);
    store(p * (size * relative + error * (1 + 0x1p-10)) * to_score, score_costs + n);
  };
  Index n = tile.live_first;
  for (; n + kLanes <= tile.live_end; n += kLanes) step(n, Lanes{});
  for (; n < tile.live_end; ++n) step(n, double{});
}

}  // namespace attest
