// laws.hpp - one check for each file of this folder; law.cpp lists them with their promises.
#pragma once

#include "properties/law.hpp"

namespace attest {

[[nodiscard]] LawOutcome check_accuracy(const LawContext& context);
[[nodiscard]] LawOutcome check_constant_v(const LawContext& context);
[[nodiscard]] LawOutcome check_dead_rows(const LawContext& context);
[[nodiscard]] LawOutcome check_containment(const LawContext& context);
[[nodiscard]] LawOutcome check_non_interference(const LawContext& context);
[[nodiscard]] LawOutcome check_one_key(const LawContext& context);
[[nodiscard]] LawOutcome check_gradient_accuracy(const LawContext& context);
[[nodiscard]] LawOutcome check_stage_accuracy(const LawContext& context);
[[nodiscard]] LawOutcome check_replay(const LawContext& context);
[[nodiscard]] LawOutcome check_score_gradient_sum(const LawContext& context);
[[nodiscard]] LawOutcome check_zero_dout(const LawContext& context);
[[nodiscard]] LawOutcome check_dout_linearity(const LawContext& context);
[[nodiscard]] LawOutcome check_key_permutation(const LawContext& context);
[[nodiscard]] LawOutcome check_group_sum(const LawContext& context);
[[nodiscard]] LawOutcome check_mask_agreement(const LawContext& context);
[[nodiscard]] LawOutcome check_determinism(const LawContext& context);
[[nodiscard]] LawOutcome check_big_offsets(const LawContext& context);
[[nodiscard]] LawOutcome check_write_traffic(const LawContext& context);
[[nodiscard]] LawOutcome check_write_coverage(const LawContext& context);
[[nodiscard]] LawOutcome check_layout(const LawContext& context);
[[nodiscard]] LawOutcome check_head_isolation(const LawContext& context);
[[nodiscard]] LawOutcome check_slices(const LawContext& context);
[[nodiscard]] LawOutcome check_longer_buffer(const LawContext& context);
[[nodiscard]] LawOutcome check_two_calls(const LawContext& context);
[[nodiscard]] LawOutcome check_envelope(const LawContext& context);
[[nodiscard]] LawOutcome check_configurations(const LawContext& context);

}  // namespace attest
