// turns.hpp - who has its turn on a fresh case: units, and laws that run the subject again.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/law.hpp"

namespace attest {

// The turn of fresh case `index`. Formats alternate and families rotate with the index; a rotation
// of units in step with either would never bring some of the pairs together. Here any
// 2 * families * units consecutive indices from a multiple of that number on hold each format with
// each family on each unit, whatever the number of units.
[[nodiscard]] std::uint64_t turn_of(std::uint64_t index, Pass pass = Pass::fwd);

// Each family comes once in each format before it comes again.
[[nodiscard]] std::uint64_t round_of(std::uint64_t index, Pass pass = Pass::fwd);

// Is the round one of those of the n-th subject, a variant?
[[nodiscard]] bool takes_round(std::size_t n, std::uint64_t round, Index variant_turns);

// The laws of the pass that rerun the subject, of which neighbours in the list have different turns
// among `rerun_turns`.
[[nodiscard]] std::vector<const Law*> laws_in_turn(Pass pass, Index rerun_turns,
                                                   std::uint64_t turn);

}  // namespace attest
