#include "harness/report/declined_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace attest {
namespace {

constexpr std::size_t kMostNamed = 3;

}  // namespace

std::string declined_text(const Tally& tally, const std::string& subject) {
  const auto& counts = tally.reasons.at(subject);
  const Index cases = tally.unsupported.at(subject);
  std::string text = fmt::format("declined {} {}: ", cases, cases == 1 ? "case" : "cases");
  if (counts.size() == 1) return text + counts.begin()->first;
  std::vector<std::pair<std::string, Index>> reasons(counts.begin(), counts.end());
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &std::pair<std::string, Index>::second);
  // A single one beyond those is no longer than its count.
  const std::size_t named = reasons.size() == kMostNamed + 1 ? kMostNamed + 1 : kMostNamed;
  Index left = cases;
  for (std::size_t n = 0; n < std::min(named, reasons.size()); ++n) {
    const auto& [reason, count] = reasons[n];
    text += fmt::format("{}{} {}", n == 0 ? "" : ", ", count, reason);
    left -= count;
  }
  if (left > 0) {
    text += fmt::format(", {} for {} other reasons", left, reasons.size() - named);
  }
  return text;
}

}  // namespace attest
