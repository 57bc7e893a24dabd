// draw.hpp - case `index` of campaign `seed`, as a pure function.
//
// The program addresses case k alone: it resumes, splits and replays without drawing the others.
#pragma once

#include <cstdint>

#include "core/case.hpp"
#include "properties/covering/wish.hpp"

namespace attest {

// The format alternates with the index and the family rotates, so any run of 2 *
// families_of(pass) consecutive indices holds each family once in each format. Of the features
// wished for, whatever the family and the limit of work leave.
[[nodiscard]] Case draw(std::uint64_t seed, std::uint64_t index, Pass pass = Pass::fwd,
                        const Wish& wish = {});

// The case's values. Requires: the case does not name a file. Throws Error (usage) on an unknown
// family.
[[nodiscard]] Inputs materialise(const Case& c);

}  // namespace attest
