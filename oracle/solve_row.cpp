#include "oracle/solve_row.hpp"

#include <optional>

#include "core/contract.hpp"
#include "oracle/doubled_row.hpp"
#include "oracle/outputs.hpp"
#include "oracle/running_weights.hpp"
#include "oracle/score_bounds.hpp"
#include "oracle/score_row.hpp"
#include "oracle/weights.hpp"

namespace attest {
namespace {

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
    case Precision::doubled:
      return task.head.format == Format::f64 ? std::nullopt : try_row_in_doubled(task);
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
