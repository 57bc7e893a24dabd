#include "oracle/stored_factor.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/upward.hpp"

namespace attest {
namespace {

// A number as an unevaluated sum.
struct Pieces {
  double high = 0;
  double low = 0;
};

// Knuth's two-sum: exact.
Pieces two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// Exact unless the error underflows.
Pieces two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// scale sum_c q_c k_c - lse, as Ogita, Rump and Oishi add up a dot product.
Pieces log_probability(const std::vector<double>& q, const double* k, double scale, double lse) {
  Pieces dot;
  for (std::size_t c = 0; c < q.size(); ++c) {
    const Pieces product = two_product(q[c], k[c]);
    const Pieces sum = two_sum(dot.high, product.high);
    dot = {sum.high, dot.low + (sum.low + product.low)};
  }
  const Pieces score = two_product(dot.high, scale);
  const Pieces difference = two_sum(score.high, -lse);
  const double rest = difference.low + (score.low + dot.low * scale);
  return two_sum(difference.high, rest);
}

}  // namespace

// error-analysis.md, Lemma 12: the factor is exp(s_t - L) / pi_t for the key t of the largest
// weight.
std::optional<double> stored_factor(const GradientHead& head, const GradientQuery& row,
                                    double scale, const BackwardRow& exact) {
  const auto top = std::ranges::max_element(exact.pairs, {}, &Pair::pi);
  const Pieces log_p = log_probability(row.query.q, head.keys.k_row(top->j), scale, row.lse);
  const double terms = 2 * static_cast<double>(head.keys.d_qk) + 4;
  const double uncertain = terms * terms * 0x1p-106 * (top->a + std::fabs(row.lse)) + 0x1p-900;
  if (!(std::fabs(log_p.high) <= 600) || !(uncertain <= 0x1p-55)) return std::nullopt;
  const double factor = std::exp(log_p.high) * (1 + log_p.low) / top->pi;
  if (!(factor <= 8)) return std::nullopt;
  return product_up(factor, 1 + 0x1.8p-50);
}

}  // namespace attest
