#include "oracle/solve_head.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "oracle/doubled_head.hpp"
#include "oracle/product_sums.hpp"
#include "oracle/score_bounds.hpp"
#include "oracle/solve_row.hpp"

namespace attest {
namespace {

constexpr Enclosure kAnything{-kInfinity, kInfinity};

template <unsigned Digits>
class HeadSolver {
 public:
  HeadSolver(const HeadTask& task, bool last_rung, BackwardAnswer& answer)
      : task_(task),
        last_rung_(last_rung),
        answer_(answer),
        wide_(task.problem.in == Format::f64),
        dk_(task_.keys(), task_.d_qk(), wide_),
        dv_(task_.keys(), task_.d_v(), wide_),
        blunt_(task_.keys()) {}

  // False where a row needs more digits.
  [[nodiscard]] bool solve() {
    return solve_rows(
        task_, [this](std::size_t r) { return solve_row(r); },
        [this](std::size_t j) { write_key(j); });
  }

 private:
  [[nodiscard]] bool solve_row(std::size_t r) {
    const GradientQuery& query = task_.rows[r];
    const std::vector<Index> live = keys_of(task_.parts[r].live);
    const KeyHead& keys = task_.head.keys;
    const double scale = task_.problem.scale;
    const PairMagnitudes magnitudes = measure(keys, query.query, scale, live);
    const RowTask scores_task{keys, query.query, scale, live, magnitudes.abs_dot, {}};
    const ScoreRow<Digits> scores = score_row<Digits>(scores_task);
    const Weights<Digits> weights = weigh(scores);
    const bool sharp = weights.log_error <= kSharpLogError;
    if (!sharp && !last_rung_) return false;

    RowNumbers numbers;
    bound_scores(scores, weights, numbers);
    BackwardRow& row = answer_.rows[task_.row_of(r)] = start_row(live, magnitudes, numbers);
    row.sharp = sharp;
    measure_products(task_.head, query, row.pairs);
    Probabilities<Digits> p;
    p.bounded = weights.log_error <= kLargestLogError;
    if (p.bounded) {
      numbers.sum_exp = enclose_sum_exp(weights);
      p = task_.stored ? shift_to_stored(scores, weights, query.lse) : normalise(weights, numbers);
      row.lse = enclose_lse(scores, weights);
    } else {
      row.lse = kAnything;
    }
    if (task_.stored) row.lse = {query.lse, query.lse};
    if (p.bounded) {
      add_row(r, p, row);
    } else {
      give_up(r, row);
    }
    return true;
  }

  void add_row(std::size_t r, const Probabilities<Digits>& p, BackwardRow& row) {
    const GradientQuery& query = task_.rows[r];
    for (std::size_t n = 0; n < row.pairs.size(); ++n) {
      row.pairs[n].pi = p.bound[n];
      row.pairs[n].abs_log_pi = p.abs_log[n];
    }
    row.mean_key = mean_key(task_.head, row.pairs);
    if (query.magnified.nonzero != 0) {
      for (std::size_t n = 0; n < row.pairs.size(); ++n) {
        const auto j = static_cast<std::size_t>(row.pairs[n].j);
        dv_.add(j, {p.p[n], p.error[n]}, query.dout.data());
      }
    }
    if (task_.parts[r].ds != OutputClass::finite) {
      forget_score_gradients(row);
      return;
    }
    row.sum_abs_dout_o = task_.stored ? sum_abs_products(query.dout, query.o)
                                      : sum_abs_dout_o(task_.head, query, row.pairs);
    const Approximations<Digits> dp = value_products<Digits>(task_.head, query, row.pairs);
    const Approximation<Digits> d = row_mean(task_, query, p, dp);
    row.d = enclose(d.value, d.error);
    const Approximations<Digits> ds = score_gradients(p, dp, d, row.pairs);
    ProductSums<Digits> dq(1, task_.d_qk(), wide_);
    for (std::size_t n = 0; n < ds.size(); ++n) {
      dq.add(0, ds[n], task_.head.keys.k_row(row.pairs[n].j));
      dk_.add(static_cast<std::size_t>(row.pairs[n].j), ds[n], query.query.q.data());
    }
    for (std::size_t c = 0; c < task_.d_qk(); ++c) {
      answer_.dq.values[task_.row_of(r) * task_.d_qk() + c] =
          dq.enclose_sum(0, c, task_.problem.scale);
    }
  }

  void give_up(std::size_t r, BackwardRow& row) {
    row.sharp = false;
    row.mean_key.assign(task_.d_qk(), kInfinity);
    row.d = kAnything;
    row.sum_abs_dout_o = kInfinity;
    for (Pair& pair : row.pairs) {
      pair.pi = task_.stored ? kInfinity : 1;
      pair.abs_log_pi = pair.abs_dp = pair.abs_dp_less_d = kInfinity;
    }
    // No gradient in, none out, whatever the weights are.
    if (task_.rows[r].silent()) return;
    for (const Pair& pair : row.pairs) blunt_[static_cast<std::size_t>(pair.j)] = 1;
    for (std::size_t c = 0; c < task_.d_qk(); ++c) {
      answer_.dq.values[task_.row_of(r) * task_.d_qk() + c] = kAnything;
    }
  }

  void write_key(std::size_t j) {
    const std::size_t key = task_.key_of(static_cast<Index>(j));
    const bool blunt = blunt_[j] != 0;
    for (std::size_t c = 0; c < task_.d_qk(); ++c) {
      answer_.dk.values[key * task_.d_qk() + c] =
          blunt ? kAnything : dk_.enclose_sum(j, c, task_.problem.scale);
    }
    for (std::size_t c = 0; c < task_.d_v(); ++c) {
      answer_.dv.values[key * task_.d_v() + c] = blunt ? kAnything : dv_.enclose_sum(j, c, 1);
    }
  }

  const HeadTask& task_;
  bool last_rung_;
  BackwardAnswer& answer_;
  bool wide_;
  ProductSums<Digits> dk_;
  ProductSums<Digits> dv_;
  std::vector<unsigned char> blunt_;  // per key: is it reached by a row without bounds?
};

template <unsigned Digits>
int try_head(const HeadTask& task, bool last_rung, BackwardAnswer& answer) {
  const bool settled = HeadSolver<Digits>(task, last_rung, answer).solve();
  return settled ? working_bits<Digits>() : 0;
}

int try_head_at(Precision precision, const HeadTask& task, BackwardAnswer& answer) {
  switch (precision) {
    case Precision::doubled: return try_head_in_doubled(task, answer) ? kDoubledBits : 0;
    case Precision::digits50: return try_head<50>(task, false, answer);
    case Precision::digits100: return try_head<100>(task, false, answer);
    case Precision::digits200: return try_head<200>(task, false, answer);
    case Precision::digits400: return try_head<400>(task, true, answer);
  }
  ATTEST_EXPECTS(!"a precision of the ladder");
  return 0;
}

}  // namespace

int solve_head(const HeadTask& task, Precision precision, BackwardAnswer& answer) {
  free_caches_with_thread();
  std::optional<Precision> rung = precision;
  while (rung) {
    if (const int bits = try_head_at(*rung, task, answer); bits != 0) return bits;
    rung = next_precision(*rung);
  }
  ATTEST_EXPECTS(!"the last rung always answers");
  return 0;
}

}  // namespace attest
