// moments.hpp - what a budget needs to know of an exact row, as upper bounds.
//
// A weight's log-error rho_j is linear in five factors f_j that no subject influences:
//   rho_j <= c_one + c_a a_j + c_s |s_j| + c_gap (m - s_j) + c_kappa kappa_j,
// so the oracle sums each factor once, rounded upward, and the judge multiplies by coefficients
// from the subject's Numerics. Sums and maxima over factors run over the near keys, m - s_j <=
// kNearGap; the ratios of the far keys let the judge prove them negligible (error-analysis.md,
// Lemma 6). floor(x) below is max(|x|, smallest normal of the input format), 0 for x = 0.
#pragma once

#include <array>
#include <cstddef>

#include "core/enclosure.hpp"
#include "core/tensor.hpp"

namespace attest {

inline constexpr double kNearGap = 1024;

// In the order of FactorSums: 1, a, |s|, m - s, kappa.
enum Factor : std::size_t { kOne, kA, kAbsScore, kGap, kKappa, kFactorCount };
using FactorSums = std::array<double, kFactorCount>;

// Of one row of scores; s_j = scale * q.k_j, a_j = scale * sum_c floor(q_c) floor(k_jc), kappa_j =
// sum_c |k_jc|, m the exact maximum, pi_j = exp(s_j - LSE). "Live" sums run over all live keys.
struct RowMoments {
  Index live_keys = 0;
  Index first_live = 0;  // smallest and largest live key; meaningless when live_keys = 0
  Index last_live = 0;
  Index argmax = 0;               // the first key whose computed score is the largest
  Index keys_near_max = 0;        // live keys with m - s_j <= 1, about
  Enclosure max_score;            // m
  Enclosure sum_exp;              // l = sum over live keys of exp(s_j - m) >= 1
  FactorSums sum_pi{};            // sum over near keys of pi_j f_j
  FactorSums max_near{};          // max over near keys of f_j
  double max_live_abs_score = 0;  // max over live keys of |s_j|
  double max_abs_dot = 0;         // max over live keys of sum_c |q_c k_jc|, unscaled
  Index max_products = 0;         // max over live keys of the number of non-zero products q_c k_jc
  Index far_keys = 0;             // live keys with m - s_j > kNearGap
  double far_a = 0;               // max over far keys of a_j / (m - s_j)
  double far_abs_score = 0;       // likewise |s_j| / (m - s_j)
  double far_kappa = 0;           // likewise kappa_j / (m - s_j)
};

// Of one output element O_ik, over column k of V.
struct ElementMoments {
  double sum_pi_abs_v = 0;    // near keys: sum pi_j |v_jk|
  double sum_pi_floor_v = 0;  // near keys: sum pi_j floor(v_jk)
  FactorSums sum_pi_dev{};    // near keys: sum pi_j f_j |v_jk - O_ik|
  double sum_abs_v = 0;       // live keys: sum |v_jk|
  double sum_floor_v = 0;     // live keys: sum floor(v_jk)
  double sum_dev = 0;         // live keys: sum |v_jk - O_ik|
  // Largest magnitude sum that one ascending pass meets, in the frame of its running maximum:
  // max over live keys t of sum over j <= t of exp(s_j - M_t) |v_jk|, M_t = max over j <= t of s_j.
  double peak_abs = 0;
};

}  // namespace attest
