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

}  // namespace attest
