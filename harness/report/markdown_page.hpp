// markdown_page.hpp - a campaign for the page of a pull request: the verdict, a table, failing
// reports folded away, and how to see a case again.
#pragma once

#include <string>

#include "harness/report/json_report.hpp"

namespace attest {

// What a comment on GitHub or GitLab may hold, and some room for what is around it.
inline constexpr std::size_t kCommentLimit = 60'000;

// At most `limit` bytes: what does not fit is left out, whole rows and whole reports, and a
// sentence says how much. What is not accepted comes first, so it goes last. `comparison` may be
// null. Requires: limit >= 4,000.
[[nodiscard]] std::string markdown_page(const RunDescription& run, const Campaign& campaign,
                                        const Comparison* comparison, std::size_t limit);

}  // namespace attest
