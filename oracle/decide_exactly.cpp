#include "oracle/decide_exactly.hpp"

#include "core/contract.hpp"
#include "oracle/classes.hpp"
#include "oracle/exponential_sum.hpp"
#include "oracle/score_row.hpp"

namespace attest {
namespace {

// The row's live keys with a finite score, and what they bring.
struct ExactRow {
  KeyHead head;
  std::vector<Index> keys;
  std::vector<ExactReal> s;
};

// Nothing where a score rounds.
std::optional<ExactRow> score_exactly(const Problem& p, const Inputs& inputs, std::size_t row) {
  const auto r = static_cast<Index>(row);
  const Index i = r % p.n_q;
  const Index h = r / p.n_q % p.heads_q;
  const Index b = r / p.n_q / p.heads_q;
  ExactRow result;
  result.head = read_key_head(p, inputs, b, h / (p.heads_q / p.heads_k));
  const QueryRow query = read_query_row(p, inputs, b, h, i);
  result.keys = classify_row(p, result.head, query, b, i).weighted;
  Widener<400> widen;
  for (const Index j : result.keys) {
    ExactReal s;
    bool exact = dot_product(query.q.data(), result.head.k_row(j), p.d_qk, p.in == Format::f64, s);
    exact = mpfr_mul(raw(s), raw(s), widen(p.scale), MPFR_RNDN) == 0 && exact;
    if (!exact) return std::nullopt;
    result.s.push_back(s);
  }
  return result;
}

// x - (a + b), if 400 digits hold it.
std::optional<ExactReal> less_both(const ExactReal& x, double a, double b) {
  Widener<400> widen;
  ExactReal difference;
  if (mpfr_sub(raw(difference), raw(x), widen(a), MPFR_RNDN) != 0) return std::nullopt;
  if (mpfr_sub(raw(difference), raw(difference), widen(b), MPFR_RNDN) != 0) return std::nullopt;
  return difference;
}

// The sign of O_ik - (a + b): of sum_j exp(s_j) (v_jk - a - b).
std::optional<int> side_of_o(const ExactRow& row, Index column, double a, double b) {
  std::vector<ExponentialTerm> terms;
  for (std::size_t n = 0; n < row.keys.size(); ++n) {
    const auto coefficient = less_both(ExactReal(row.head.v_row(row.keys[n])[column]), a, b);
    if (!coefficient) return std::nullopt;
    terms.push_back({row.s[n], *coefficient});
  }
  return sign_of_sum(std::move(terms));
}

// The sign of LSE - (a + b): of sum_j exp(s_j - a - b) - 1.
std::optional<int> side_of_lse(const ExactRow& row, double a, double b) {
  std::vector<ExponentialTerm> terms;
  for (const ExactReal& s : row.s) {
    const auto exponent = less_both(s, a, b);
    if (!exponent) return std::nullopt;
    terms.push_back({*exponent, ExactReal(1)});
  }
  terms.push_back({ExactReal(0), ExactReal(-1)});
  return sign_of_sum(std::move(terms));
}

}  // namespace

// error-analysis.md, Theorem 20.
std::optional<bool> is_within(const Problem& problem, const Inputs& inputs, std::size_t row,
                              std::optional<Index> column, double observed, double budget) {
  ATTEST_EXPECTS(budget >= 0 && std::isfinite(budget) && std::isfinite(observed));
  const auto exact = score_exactly(problem, inputs, row);
  if (!exact) return std::nullopt;
  const auto side = [&](double distance) {
    return column ? side_of_o(*exact, *column, observed, distance)
                  : side_of_lse(*exact, observed, distance);
  };
  const auto above_low = side(-budget);
  const auto above_high = side(budget);
  if (!above_low || !above_high) return std::nullopt;
  return *above_low >= 0 && *above_high <= 0;
}

}  // namespace attest
