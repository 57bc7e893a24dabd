#include "judge/least_moments.hpp"

#include <algorithm>

namespace attest {

RowMoments least_of(const RowMoments& loose) {
  RowMoments least;
  least.live_keys = loose.live_keys;
  least.first_live = loose.first_live;
  least.last_live = loose.last_live;
  least.max_score = nearest(loose.max_score);
  // Each use of the row sum takes the end that makes a budget larger: here the other one.
  least.sum_exp = {loose.sum_exp.hi, loose.sum_exp.lo};
  return least;
}

ElementMoments least_of(const LeastMoments& bounds) {
  ElementMoments least;
  // Weights are at most 1, so sums without them are at least as large.
  least.sum_pi_abs_v = least.sum_pi_floor_v = least.sum_abs_v = least.sum_floor_v =
      static_cast<double>(bounds.sum_pi_abs_v);
  least.sum_pi_dev[kOne] = least.sum_dev = static_cast<double>(bounds.sum_pi_dev);
  return least;
}

Enclosure nearest(const Enclosure& exact) {
  const double magnitude = std::max({0.0, exact.lo, -exact.hi});
  return {magnitude, magnitude};
}

}  // namespace attest
