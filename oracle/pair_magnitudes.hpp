// pair_magnitudes.hpp - what a pair (i, j) is worth in magnitudes, upward, by binary64: all that
// budgets need to know of dO, V and K beside the exact numbers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/backward_answer.hpp"
#include "oracle/gradient_operands.hpp"
#include "oracle/row_numbers.hpp"

namespace attest {

// The oracle's own Pair::pi of a sharp row is too large by at most this, relatively: one rounding
// upward and twice Lambda. Or by one subnormal step.
inline constexpr double kShareExcess = 0x1p-51;

// A bound of an error, once it is not 0, is at least this: products with inputs of up to 32 bits
// then stay normal, and it covers whatever a dropped key took away.
inline constexpr double kLeastError = 0x1p-800;

// What keeps a computed error from vanishing in later products.
[[nodiscard]] inline double lasting(double error) {
  return error == 0 ? 0 : std::max(error, kLeastError);
}

// A row whose pairs hold j, a and abs_score.
[[nodiscard]] BackwardRow start_row(const std::vector<Index>& live,
                                    const PairMagnitudes& magnitudes, const RowNumbers& numbers);

// Fills g, g_floor and products of the pairs.
void measure_products(const GradientHead& head, const GradientQuery& row, std::vector<Pair>& pairs);

// How many dO_k v_k are not zero, and sum_k floor(dO_k) floor(v_k), rounded.
[[nodiscard]] Index count_products(const GradientQuery& row, const Magnified& v);
[[nodiscard]] double sum_floored(const Magnified& a, const Magnified& b);

// sum_k |dO_k o_k|, upward.
[[nodiscard]] double sum_abs_products(std::span<const double> dout, std::span<const double> o);

// sum_k |dO_k O_k| for O = sum_j pi_j v_j, upward. The pairs hold pi and g.
[[nodiscard]] double sum_abs_dout_o(const GradientHead& head, const GradientQuery& row,
                                    const std::vector<Pair>& pairs);

// |sum_j pi_j k_jc| for each c, upward.
[[nodiscard]] std::vector<double> mean_key(const GradientHead& head,
                                           const std::vector<Pair>& pairs);

}  // namespace attest
