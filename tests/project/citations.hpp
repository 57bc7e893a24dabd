// citations.hpp - numbered results of docs/error-analysis.md: where they stand and who relies on
// them.
//
// A budget row without a number cannot be checked by a reader, and a number that no code cites is
// either a dead theorem or a missing comment.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace attest::project {

// Results that the document labels, as "Theorem 3": in bold, or as a heading.
[[nodiscard]] std::set<std::string> results_labelled(std::string_view document);

// Results that a source cites: what follows "error-analysis.md," also across the lines of a
// comment. "Theorem 3 and Lemma 4" and "Lemmas 2, 5 and 6" cite each of their numbers.
[[nodiscard]] std::set<std::string> results_cited(std::string_view source);

}  // namespace attest::project
