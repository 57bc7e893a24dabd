// solve_row.hpp - one row at the lowest rung of the ladder that settles it.
#pragma once

#include "oracle/precision.hpp"
#include "oracle/row_numbers.hpp"

namespace attest {

// A row whose weights' log-error stays above this climbs, unless it is at the cap: its moments,
// which are upper bounds, would be blunt.
inline constexpr double kSharpLogError = 0x1p-56;

// Works the row at `precision` or above. Inputs in f64 take multiprecision at once.
[[nodiscard]] RowNumbers solve_row(const RowTask& task, Precision precision);

}  // namespace attest
