// doubled_row.hpp - one row of the forward in doubled numbers: the rung between binary64 by blocks
// and multiprecision.
//
// Its moments are as sharp as those of multiprecision, at a small part of the price. Memory and
// time are those of a row; nothing depends on the machine but speed.
#pragma once

#include <optional>

#include "oracle/row_numbers.hpp"

namespace attest {

// Nothing where doubled numbers do not do: weights that would not be sharp, scores out of range.
// Requires: at least one key; inputs of at most 32 bits.
[[nodiscard]] std::optional<RowNumbers> try_row_in_doubled(const RowTask& task);

}  // namespace attest
