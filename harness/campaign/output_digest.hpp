// output_digest.hpp - names for the bits of a case and of what a subject made of it, so that two
// reports can be compared without either's values.
#pragma once

#include <cstdint>
#include <string>

#include "properties/execution.hpp"
#include "properties/laws/difference.hpp"

namespace attest {

// 16 hexadecimal digits of a digest of problem, values and schedule seed: two runs of a subject
// that promises its bits get the same question.
[[nodiscard]] std::string digest_of_case(const Problem& problem, const Inputs& inputs,
                                         std::uint64_t schedule_seed);

// Likewise of the outputs' chosen rows. Outputs that agree, as first_difference (difference.hpp)
// says it, have one digest: no convention fixes the payload of a NaN.
[[nodiscard]] std::string digest_of_outputs(const Outputs& outputs, const RowFilter& chosen);

}  // namespace attest
