// table.hpp - rows of text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace attest {

using TableRow = std::vector<std::string>;

// The first row is the head; columns are separated by two blanks, and the last is not padded.
// Requires: rows are no longer than the head, and hold no colour codes.
[[nodiscard]] std::string align_table(const std::vector<TableRow>& rows);

}  // namespace attest
