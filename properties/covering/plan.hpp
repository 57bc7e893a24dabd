// plan.hpp - which features the cases of a campaign are asked for, so that they meet in all pairs
// first, then in all triples, then in fours.
//
// The plan is a function of (seed, pass, strength, index): a longer one begins with the same
// entries. It is made greedily. An unmet cell of the case's family is asked for, the rest is chosen
// to meet most, and of a few such wishes the one counts whose case, as drawn, meets most: what a
// family or the limit of work refuses is then seen, not assumed. Once all pairs have met, one round
// of families in four asks for nothing, so that what the draw is tuned for keeps its share.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/covering/wish.hpp"

namespace attest {

// The wishes for cases 0, 1, ..., count - 1. Once so many features have met, chance takes over.
// Requires: 2 <= strength <= kMostStrength.
[[nodiscard]] std::vector<Wish> covering_plan(std::uint64_t seed, Pass pass, int strength,
                                              Index count);

}  // namespace attest
