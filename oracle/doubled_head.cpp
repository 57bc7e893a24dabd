#include "oracle/doubled_head.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/doubled_gradients.hpp"
#include "oracle/doubled_sums.hpp"
#include "oracle/pair_magnitudes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// error-analysis.md, Theorem 19.
class DoubledHead {
 public:
  DoubledHead(const HeadTask& task, BackwardAnswer& answer)
      : task_(task),
        answer_(answer),
        terms_(std::max(task.problem.n_k, static_cast<Index>(task.rows.size()))),
        dk_(task_.keys(), task_.d_qk()),
        dv_(task_.keys(), task_.d_v()) {}

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
    const auto weights = weigh_in_doubled({keys, query.query, scale, live, magnitudes.abs_dot, {}});
    if (!weights) return false;
    RowNumbers numbers;
    bound_scores(*weights, numbers);
    BackwardRow& row = answer_.rows[task_.row_of(r)] = start_row(live, magnitudes, numbers);
    measure_products(task_.head, query, row.pairs);
    std::optional<DoubledProbabilities> p;
    if (task_.stored) {
      p = shift_to_stored(*weights, query.lse);
      if (!p) return false;
      row.lse = {query.lse, query.lse};
    } else {
      p = normalise(*weights, enclose_sum_exp(*weights));
      const DoubledLse lse = lse_of(*weights);
      row.lse = enclose(lse.value, lse.radius);
    }
    add_row(r, *p, row);
    return true;
  }

  void add_row(std::size_t r, const DoubledProbabilities& p, BackwardRow& row) {
    const GradientQuery& query = task_.rows[r];
    for (std::size_t n = 0; n < row.pairs.size(); ++n) {
      row.pairs[n].pi = p.bound[n];
      row.pairs[n].abs_log_pi = p.abs_log[n];
    }
    row.mean_key = mean_key(task_.head, row.pairs);
    if (query.magnified.nonzero != 0) {
      for (std::size_t n = 0; n < row.pairs.size(); ++n) {
        add(p.p[n], query.dout.data(), static_cast<std::size_t>(row.pairs[n].j), dv_);
      }
    }
    if (task_.parts[r].ds != OutputClass::finite) {
      forget_score_gradients(row);
      return;
    }
    row.sum_abs_dout_o = task_.stored ? sum_abs_products(query.dout, query.o)
                                      : sum_abs_dout_o(task_.head, query, row.pairs);
    const auto dp = value_products_in_doubled(task_.head, query, row.pairs);
    const DoubledApproximation d = row_mean(task_, query, p, dp);
    row.d = enclose(d.value, d.error);
    const auto ds = score_gradients(p, dp, d, row.pairs);
    DoubledSums dq(1, task_.d_qk());
    for (std::size_t n = 0; n < ds.size(); ++n) {
      const Index j = row.pairs[n].j;
      add(ds[n], task_.head.keys.k_row(j), 0, dq);
      add(ds[n], query.query.q.data(), static_cast<std::size_t>(j), dk_);
    }
    for (std::size_t c = 0; c < task_.d_qk(); ++c) {
      answer_.dq.values[task_.row_of(r) * task_.d_qk() + c] =
          enclose_sum(dq, 0, c, task_.problem.scale);
    }
  }

  // Adds x y_c to each column of a row. x is charged, for each |y_c|, with its own error and with
  // all roundings of the sum, the product with the scale included.
  void add(const DoubledApproximation& x, const double* y, std::size_t row,
           DoubledSums& sums) const {
    if (x.error == 0 && x.value.hi == 0) return;
    const double rounding = 2 * doubled_sum_error(terms_ + 2);
    const double cost = sum_up(x.error, product_up(rounding, lasting(x.bound())));
    sums.add(row, x.value, cost, y);
  }

  // The sum times an exact factor > 0 of at most 24 bits.
  [[nodiscard]] Enclosure enclose_sum(const DoubledSums& sums, std::size_t row, std::size_t column,
                                      double factor) const {
    const double size = sums.size(row, column);
    if (size == 0) return {};
    const Doubled<double> value = product_of(sums.sum(row, column), Doubled<double>{factor, 0});
    return enclose(value, product_up(inflate(size, terms_ + 1, 2 * terms_), factor));
  }

  void write_key(std::size_t j) {
    const std::size_t key = task_.key_of(static_cast<Index>(j));
    for (std::size_t c = 0; c < task_.d_qk(); ++c) {
      answer_.dk.values[key * task_.d_qk() + c] = enclose_sum(dk_, j, c, task_.problem.scale);
    }
    for (std::size_t c = 0; c < task_.d_v(); ++c) {
      answer_.dv.values[key * task_.d_v() + c] = enclose_sum(dv_, j, c, 1);
    }
  }

  const HeadTask& task_;
  BackwardAnswer& answer_;
  Index terms_;  // at least those of any sum
  DoubledSums dk_;
  DoubledSums dv_;
};

}  // namespace

bool try_head_in_doubled(const HeadTask& task, BackwardAnswer& answer) {
  const Problem& p = task.problem;
  if (p.in == Format::f64 || (task.stored && p.out == Format::f64)) return false;
  return DoubledHead(task, answer).solve();
}

}  // namespace attest
