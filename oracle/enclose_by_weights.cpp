#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/gradient_classes.hpp"
#include "oracle/pair_magnitudes.hpp"
#include "oracle/rounded_row.hpp"
#include "oracle/rounded_sums.hpp"
#include "oracle/solve_head.hpp"
#include "oracle/stored_factor.hpp"

namespace attest {
namespace {

// |s - stored L| from a bound of L - s >= 0, which is too large by at most 2^-48 (1 + itself), and
// from L - stored L, an end of which is off by one rounding.
double distance_to_stored(double most, Enclosure shift) {
  const double least = std::max(0.0, most * (1 - 0x1p-48) - 0x1p-48);
  const double distance = std::max(std::fabs(shift.lo - most), std::fabs(shift.hi - least));
  const double rounding = 0x1p-51 * (std::max(std::fabs(shift.lo), std::fabs(shift.hi)) + most);
  return next_up(distance + rounding);
}

class RoundedHead {
 public:
  RoundedHead(const HeadTask& task, const BackwardAnswer& weights, BackwardAnswer& answer)
      : task_(task),
        weights_(weights),
        answer_(answer),
        wide_(task.problem.in == Format::f64),
        terms_(std::max(task.problem.n_k, static_cast<Index>(task.rows.size()))),
        dk_(keys(), d_qk(), wide_),
        dv_(keys(), d_v(), wide_) {}

  // False where binary64 does not do.
  [[nodiscard]] bool solve() {
    for (std::size_t r = 0; r < task_.rows.size(); ++r) {
      if (task_.parts[r].p == OutputClass::finite && !solve_row(r)) return false;
    }
    for (std::size_t j = 0; j < keys(); ++j) {
      const std::size_t key = task_.key_of(static_cast<Index>(j));
      for (std::size_t c = 0; c < d_qk(); ++c) {
        answer_.dk.values[key * d_qk() + c] = dk_.enclose_sum(j, c, task_.problem.scale);
      }
      for (std::size_t c = 0; c < d_v(); ++c) {
        answer_.dv.values[key * d_v() + c] = dv_.enclose_sum(j, c, 1);
      }
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t keys() const { return static_cast<std::size_t>(task_.problem.n_k); }
  [[nodiscard]] std::size_t d_qk() const { return static_cast<std::size_t>(task_.problem.d_qk); }
  [[nodiscard]] std::size_t d_v() const { return static_cast<std::size_t>(task_.problem.d_v); }

  [[nodiscard]] bool solve_row(std::size_t r) {
    const GradientQuery& query = task_.rows[r];
    const BackwardRow& exact = weights_.rows[task_.row_of(r)];
    ATTEST_EXPECTS(exact.pair_count() == task_.parts[r].live.size());
    if (!exact.sharp) return false;
    BackwardRow& row = answer_.rows[task_.row_of(r)] = exact;
    if (task_.stored && !shift_to_stored(query, row)) return false;
    const double excess = task_.stored ? kStoredExcess : kShareExcess;

    measure_products(task_.head, query, row.pairs);
    if (query.magnified.nonzero != 0) {
      for (const Pair& pair : row.pairs) {
        dv_.add(static_cast<std::size_t>(pair.j), pair.pi, cost_of_share(pair.pi, excess, terms_),
                query.dout.data());
      }
    }
    if (task_.parts[r].ds != OutputClass::finite) {
      forget_score_gradients(row);
      return true;
    }
    row.sum_abs_dout_o = task_.stored ? sum_abs_products(query.dout, query.o)
                                      : sum_abs_dout_o(task_.head, query, row.pairs);
    const RoundedRow rounded = round_row(task_, query, excess, terms_, row);
    RoundedSums dq(1, d_qk(), wide_);
    for (std::size_t n = 0; n < row.pairs.size(); ++n) {
      const Index j = row.pairs[n].j;
      dq.add(0, rounded.ds[n], rounded.cost[n], task_.head.keys.k_row(j));
      dk_.add(static_cast<std::size_t>(j), rounded.ds[n], rounded.cost[n], query.query.q.data());
    }
    for (std::size_t c = 0; c < d_qk(); ++c) {
      answer_.dq.values[task_.row_of(r) * d_qk() + c] = dq.enclose_sum(0, c, task_.problem.scale);
    }
    return true;
  }

  // From exp(s - L) to exp(s - stored L).
  [[nodiscard]] bool shift_to_stored(const GradientQuery& query, BackwardRow& row) const {
    const auto factor = stored_factor(task_.head, query, task_.problem.scale, row);
    if (!factor) return false;
    const Enclosure shift{row.lse.lo - query.lse, row.lse.hi - query.lse};
    for (Pair& pair : row.pairs) {
      pair.pi = product_up(pair.pi, *factor);
      pair.abs_log_pi = distance_to_stored(pair.abs_log_pi, shift);
    }
    for (double& mean : row.mean_key) mean = product_up(mean, *factor);
    row.lse = {query.lse, query.lse};
    return true;
  }

  const HeadTask& task_;
  const BackwardAnswer& weights_;
  BackwardAnswer& answer_;
  bool wide_;
  Index terms_;
  RoundedSums dk_;
  RoundedSums dv_;
};

}  // namespace

BackwardAnswer enclose_backward_by_weights(const Problem& problem, const Inputs& inputs,
                                           const BackwardAnswer& weights,
                                           const std::optional<StoredForward>& stored) {
  ATTEST_EXPECTS(problem.pass == Pass::bwd && has_shapes_of(inputs, problem));
  BackwardAnswer answer = empty_answer(problem);
  ATTEST_EXPECTS(weights.rows.size() == answer.rows.size());
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h_k = 0; h_k < problem.heads_k; ++h_k) {
      const HeadTask task = read_head_task(problem, inputs, stored, b, h_k);
      // Where binary64 does not do, the head goes the long way.
      if (!RoundedHead(task, weights, answer).solve()) {
        solve_head(task, kFirstPrecision, answer);
      }
      settle_classes(task, answer);
    }
  }
  answer.bits = 53;
  return answer;
}

}  // namespace attest
