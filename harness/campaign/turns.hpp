// turns.hpp - who has its turn on a fresh case: units, and laws that run the subject again.
#pragma once

#include <cstdint>

#include "properties/law.hpp"

namespace attest {

// The turn of fresh case `index`. Formats alternate and families rotate with the index; a rotation
// of units in step with either would never bring some of the pairs together. Here any
// 2 * families * units consecutive indices from a multiple of that number on hold each format with
// each family on each unit, whatever the number of units.
[[nodiscard]] std::uint64_t turn_of(std::uint64_t index, Pass pass = Pass::fwd);

// Likewise for is_due. A law meets each family in each format once in so many rounds of families as
// there are turns; of five turns, in one round, a fifth of the families in each format.
[[nodiscard]] std::uint64_t rerun_turn_of(std::uint64_t index, Pass pass = Pass::fwd);

// Is the law asked on a case of that turn? Those that do not rerun the subject always are, accuracy
// among them; of the others each is on one of `rerun_turns` cases, neighbours in the list on
// different ones.
[[nodiscard]] bool is_due(const Law& law, Pass pass, Index rerun_turns, std::uint64_t rerun_turn);

}  // namespace attest
