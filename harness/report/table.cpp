#include "harness/report/table.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace attest {

std::string align_table(const std::vector<TableRow>& rows) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths(rows.front().size());
  for (const TableRow& row : rows) {
    ATTEST_EXPECTS(row.size() <= widths.size());
    for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (n != 0) line += "  ";
      line += row[n] + std::string(widths[n] - row[n].size(), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace attest
