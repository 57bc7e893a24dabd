// github_text.hpp - workflow commands by which a run in GitHub Actions marks what it found.
#pragma once

#include <string>
#include <string_view>

#include "harness/report/json_report.hpp"

namespace attest {

// GitHub shows ten annotations of a step and kind; one is left to whoever runs attest.
inline constexpr std::size_t kMostAnnotations = 9;
// What the summary of a step may hold, and some bytes less.
inline constexpr std::size_t kSummaryLimit = (std::size_t{1} << 20) - 1024;

// "::error title=..::..", a line each, at most kMostAnnotations of them: failures, then what was
// left undecided, then what speaks against the campaign as a whole, then, as warnings, verdicts and
// bits that changed. Where there is more, the last line says how much.
[[nodiscard]] std::string github_annotations(const Campaign& campaign,
                                             const Comparison* comparison);

// As GitHub reads it: % and line ends, and in properties ':' and ',', by their codes.
[[nodiscard]] std::string github_command(std::string_view kind, std::string_view title,
                                         std::string_view message);

}  // namespace attest
