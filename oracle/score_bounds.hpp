// score_bounds.hpp - |s_j|, m - s_j and the maximum of one row in binary64, from the scores and
// their proved errors.
#pragma once

#include <cmath>

#include "oracle/weights.hpp"

namespace attest {

// Fills max_score, argmax, keys_near_max and, for each key, gap, gap_least and abs_score.
template <unsigned Digits>
void bound_scores(const ScoreRow<Digits>& scores, const Weights<Digits>& weights,
                  RowNumbers& numbers) {
  numbers.max_score = enclose(scores.s[scores.argmax], weights.shift_error);
  numbers.argmax = scores.argmax;
  for (std::size_t n = 0; n < scores.s.size(); ++n) {
    const Real<Digits>& z = weights.z[n];
    const double error = sum_up(weights.shift_error, scores.radius[n]);
    // One neighbour further pays for the rounding of z, which is relative and far smaller.
    const double most = -to_double(z, MPFR_RNDD);
    const double least = difference_down(-to_double(z, MPFR_RNDU), kSmallest);
    numbers.gap.push_back(sum_up(most == 0 ? 0 : next_up(most), error));
    numbers.gap_least.push_back(difference_down(least, error));
    numbers.abs_score.push_back(
        sum_up(std::fabs(to_double(scores.s[n], MPFR_RNDA)), scores.radius[n]));
    if (mpfr_cmp_si(raw(z), -1) >= 0) ++numbers.keys_near_max;
  }
}

}  // namespace attest
