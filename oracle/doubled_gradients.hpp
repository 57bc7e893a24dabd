// doubled_gradients.hpp - P_ij, dP_ij, D_i and dS_ij of one row in doubled numbers, each with a
// proved error: what probabilities.hpp and score_gradients.hpp do in multiprecision.
#pragma once

#include <optional>
#include <vector>

#include "oracle/doubled_weights.hpp"
#include "oracle/gradient_classes.hpp"

namespace attest {

// value is within `error` of what it stands for.
struct DoubledApproximation {
  Doubled<double> value{};
  double error = 0;

  // At least the magnitude of both.
  [[nodiscard]] double bound() const;
};
using DoubledApproximations = std::vector<DoubledApproximation>;

// P of a row's pairs: bound[n] is at least p[n] and the exact P.
struct DoubledProbabilities {
  DoubledApproximations p;
  std::vector<double> bound;
  std::vector<double> abs_log;  // at least |s - L|
};

// exp(s_j - L) with the exact L. error-analysis.md, Lemma 29.
[[nodiscard]] DoubledProbabilities normalise(const DoubledWeights& weights,
                                             const Enclosure& sum_exp);

// The same with a stored L; nothing where that lies further than 40 from the largest score, or
// where both are so large that their difference is not sharp.
[[nodiscard]] std::optional<DoubledProbabilities> shift_to_stored(const DoubledWeights& weights,
                                                                  double lse);

// dP_ij of the pairs, whose g is filled.
[[nodiscard]] DoubledApproximations value_products_in_doubled(const GradientHead& head,
                                                              const GradientQuery& row,
                                                              const std::vector<Pair>& pairs);

// D_i - gL_i of core/backward_answer.hpp. Requires: at least one pair.
[[nodiscard]] DoubledApproximation row_mean(const HeadTask& task, const GradientQuery& row,
                                            const DoubledProbabilities& probabilities,
                                            const DoubledApproximations& dp);

// dS_j of the pairs, and their abs_dp and abs_dp_less_d.
[[nodiscard]] DoubledApproximations score_gradients(const DoubledProbabilities& probabilities,
                                                    const DoubledApproximations& dp,
                                                    const DoubledApproximation& d,
                                                    std::vector<Pair>& pairs);

}  // namespace attest
