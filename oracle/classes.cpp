#include "oracle/classes.hpp"

#include <cmath>

#include "oracle/mask.hpp"

namespace attest {
namespace {

// Collects the signs of infinite terms and whether a NaN came by.
struct ExtendedSum {
  bool nan = false;
  bool plus = false;
  bool minus = false;

  void add_infinite(double x) { (x > 0 ? plus : minus) = true; }

  [[nodiscard]] OutputClass value() const {
    if (nan || (plus && minus)) return OutputClass::nan;
    if (plus) return OutputClass::plus_inf;
    return minus ? OutputClass::minus_inf : OutputClass::finite;
  }
};

// Products of two finite operands are finite here even where binary64 would overflow.
OutputClass classify_score(const QueryRow& query, const double* k) {
  ExtendedSum sum;
  for (std::size_t d = 0; d < query.q.size(); ++d) {
    const double x = query.q[d];
    if (std::isfinite(x) && std::isfinite(k[d])) continue;
    const double product = x * k[d];
    if (std::isnan(product)) {
      sum.nan = true;
    } else {
      sum.add_infinite(product);
    }
  }
  return sum.value();
}

}  // namespace

RowClass classify_row(const Problem& problem, const KeyHead& head, const QueryRow& query, Index b,
                      Index i) {
  RowClass row;
  if (i >= problem.live_queries(b)) {
    row.lse = OutputClass::beyond;
    return row;
  }
  for (Index j = 0; j < problem.n_k; ++j) {
    if (!is_live(problem, b, i, j)) continue;
    row.live.push_back(j);
    const OutputClass score = query.finite && head.finite[static_cast<std::size_t>(j)] != 0
                                  ? OutputClass::finite
                                  : classify_score(query, head.k_row(j));
    if (score == OutputClass::finite) row.weighted.push_back(j);
    if (score == OutputClass::nan || score == OutputClass::plus_inf) row.lse = OutputClass::nan;
  }
  if (row.live.empty()) {
    row.lse = OutputClass::dead;
  } else if (row.lse == OutputClass::finite && row.weighted.empty()) {
    row.lse = OutputClass::undefined;
  }
  return row;
}

OutputClass classify_output(const RowClass& row, const KeyHead& head, Index k) {
  const bool has_softmax = row.lse == OutputClass::finite;
  if (!has_softmax && row.lse != OutputClass::undefined) return row.lse;
  if (has_softmax && head.v_finite) return OutputClass::finite;
  ExtendedSum sum;
  bool zero_times_infinity = false;
  auto weighted = row.weighted.begin();
  for (const Index j : row.live) {
    const bool has_weight = weighted != row.weighted.end() && *weighted == j;
    if (has_weight) ++weighted;
    const double v = head.v_row(j)[k];
    if (std::isfinite(v)) continue;
    if (std::isnan(v)) {
      sum.nan = true;
    } else if (has_weight) {
      sum.add_infinite(v);
    } else {
      zero_times_infinity = true;
    }
  }
  const OutputClass value = sum.value();
  const bool open = !has_softmax || zero_times_infinity;
  return open && value != OutputClass::nan ? OutputClass::undefined : value;
}

}  // namespace attest
