// outcome.hpp - how laws turn what they saw into an outcome, worded the same way by all of them.
#pragma once

#include <string>

#include "properties/law.hpp"

namespace attest {

// The law says nothing about this case.
[[nodiscard]] LawOutcome not_applicable();

// The verdict of a judgement with its worst element in words; not applicable if nothing was judged.
[[nodiscard]] LawOutcome outcome_of(Judgement judgement);

// An extra run did not end well: rejected, so that a caller who overlooks `trouble` is not misled.
// `run` says which run: "with V = 1".
[[nodiscard]] LawOutcome troubled(const RunOutcome& trouble, const std::string& run);

[[nodiscard]] LawOutcome rejected(const std::string& detail);

// Is there an element to write? Without one there is nothing that could be right or wrong.
[[nodiscard]] bool has_outputs(const Problem& problem);

}  // namespace attest
