// promised_rows.hpp - which rows of an output must have the same bits in two runs of a subject, by
// its own declaration.
#pragma once

#include <cstdint>

#include "properties/law.hpp"
#include "properties/laws/difference.hpp"

namespace attest {

// May the second run do things in another order than the first?
enum class Schedule : std::uint8_t { same, other };

// All rows but those that the declaration leaves open: rows beyond a length, O and LSE of dead
// rows, and a dQ that is summed by atomic additions, whose order only the emulator can repeat.
[[nodiscard]] RowFilter promised_rows(const LawContext& context, Schedule schedule);

}  // namespace attest
