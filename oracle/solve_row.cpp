#include "oracle/solve_row.hpp"

#include <optional>

#include "core/contract.hpp"
#include "oracle/outputs.hpp"
#include "oracle/running_weights.hpp"
#include "oracle/score_row.hpp"
#include "oracle/weights.hpp"

namespace attest {
namespace {

// |s_j| and m - s_j, from the computed scores and the errors of both.
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

template <unsigned Digits>
std::optional<RowNumbers> try_row(const RowTask& task, bool last_rung) {
  const ScoreRow<Digits> scores = score_row<Digits>(task);
  const Weights<Digits> weights = weigh(scores);
  if (!(weights.log_error <= kSharpLogError) && !last_rung) return std::nullopt;
  RowNumbers numbers;
  numbers.bits = working_bits<Digits>();
  numbers.log_error = weights.log_error;
  bound_scores(scores, weights, numbers);
  if (!(weights.log_error <= kLargestLogError)) {
    enclose_by_hulls(task, numbers);
    return numbers;
  }
  numbers.pi = weight_bounds(weights);
  numbers.sum_exp = enclose_sum_exp(weights);
  numbers.lse = enclose_lse(scores, weights);
  // m <= LSE, with equality for a single key.
  numbers.lse.lo = std::max(numbers.lse.lo, numbers.max_score.lo);
  if (task.keys.size() == 1) numbers.lse.hi = std::min(numbers.lse.hi, numbers.max_score.hi);
  bound_running_weights(scores, weights, numbers);
  enclose_outputs(task, weights, numbers);
  return numbers;
}

std::optional<RowNumbers> try_row_at(Precision precision, const RowTask& task) {
  switch (precision) {
    case Precision::digits50: return try_row<50>(task, false);
    case Precision::digits100: return try_row<100>(task, false);
    case Precision::digits200: return try_row<200>(task, false);
    case Precision::digits400: return try_row<400>(task, true);
  }
  ATTEST_EXPECTS(!"a precision of the ladder");
  return std::nullopt;
}

}  // namespace

RowNumbers solve_row(const RowTask& task, Precision precision) {
  ATTEST_EXPECTS(!task.keys.empty());
  free_caches_with_thread();
  std::optional<Precision> rung = precision;
  while (rung) {
    if (auto numbers = try_row_at(*rung, task)) return *std::move(numbers);
    rung = next_precision(*rung);
  }
  ATTEST_EXPECTS(!"the last rung always answers");
  return {};
}

}  // namespace attest
