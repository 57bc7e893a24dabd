// decide_exactly.hpp - whether an exact output lies within a budget of what was observed, where no
// enclosure tells: at the very edge, or nearer to it than binary64 has numbers.
#pragma once

#include <optional>

#include "core/case.hpp"

namespace attest {

// Is |observed - exact| <= budget, in exact arithmetic, for O_ik of a row (an index of Answer's
// rows), or for its LSE where no column is given? Nothing where it cannot be told within 400
// digits, or where scores are too wide to be exact.
//
// Requires: the class of that output is finite; budget >= 0, both numbers finite.
[[nodiscard]] std::optional<bool> is_within(const Problem& problem, const Inputs& inputs,
                                            std::size_t row, std::optional<Index> column,
                                            double observed, double budget);

}  // namespace attest
