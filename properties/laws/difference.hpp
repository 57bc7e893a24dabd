// difference.hpp - two runs compared bit by bit, for laws that speak of no budget.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/case.hpp"
#include "core/semantics.hpp"
#include "properties/execution.hpp"

namespace attest {

// Is this row of entry b of an output to be compared? All heads alike.
using RowFilter = std::function<bool(const NamedOutput& output, Index b, Index row)>;

// Does the sign of a zero count? Where dead keys take part with weight 0, it may be theirs: the sum
// of a negative value that underflowed and of +0 x -1 is -0, of it and +0 x 1 is +0.
enum class ZeroSign : std::uint8_t { counts, open };

// Says where `before` and `after` first differ in a chosen row, with both bit patterns; empty when
// they agree. No convention fixes the payload of a NaN, so two of them agree; the poison of an
// element that was never written is none.
[[nodiscard]] std::string first_difference(const Outputs& before, const Outputs& after,
                                           const RowFilter& chosen,
                                           ZeroSign zero_sign = ZeroSign::counts);

// Does the subject's declaration leave nothing open in this kind of row, so that its bits can be
// compared between runs?
[[nodiscard]] bool fixed_when_dead(const Semantics& semantics);

// A number that names the case, for draws that must be the same whenever it is checked.
[[nodiscard]] std::uint64_t seed_of(const Problem& problem, const Inputs& inputs);

}  // namespace attest
