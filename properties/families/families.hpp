// families.hpp - one function for each file of this folder; family.cpp lists them.
#pragma once

#include "properties/family.hpp"

namespace attest {

// For families that work on any problem.
[[nodiscard]] inline Problem keep_problem(Problem problem, std::uint64_t) { return problem; }

[[nodiscard]] Family gaussian_family();
[[nodiscard]] Family large_spread_family();
[[nodiscard]] Family ties_family();
[[nodiscard]] Family rising_maxima_family();
[[nodiscard]] Family constant_v_family();
[[nodiscard]] Family lifted_scores_family();
[[nodiscard]] Family deeply_negative_family();
[[nodiscard]] Family cancelling_scores_family();
[[nodiscard]] Family huge_offset_family();
[[nodiscard]] Family dead_rows_family();
[[nodiscard]] Family one_hot_family();
[[nodiscard]] Family tail_sizes_family();
[[nodiscard]] Family same_sign_v_family();
[[nodiscard]] Family live_nan_family();
[[nodiscard]] Family biased_d_family();
[[nodiscard]] Family cancelling_dp_family();
[[nodiscard]] Family tiny_dout_family();
[[nodiscard]] Family falling_maxima_family();
[[nodiscard]] Family scores_past_f16_family();
[[nodiscard]] Family subnormal_weights_family();
[[nodiscard]] Family equal_scores_family();
[[nodiscard]] Family truncated_products_family();
[[nodiscard]] Family outliers_family();
[[nodiscard]] Family named_places_family();
[[nodiscard]] Family structured_family();

// Shared by F7 and F21.
void fill_deeply_negative(const Problem& problem, std::uint64_t seed, Inputs& inputs);

}  // namespace attest
