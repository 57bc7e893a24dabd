// enclose_forward.hpp - proved enclosures, classes and moments of O and LSE.
//
// Every result is rigorous: computed in doubled numbers or by MPFR with a running error bound that
// is derived in docs/error-analysis.md, sections 2 and 12, and rounded outward to binary64. The
// oracle knows the problem and the data, and nothing of any kernel.
#pragma once

#include <optional>
#include <span>

#include "core/answer.hpp"
#include "core/case.hpp"
#include "oracle/precision.hpp"

namespace attest {

// Requires: inputs have the problem's shapes and format.
// Ensures:  every row is worked at `precision` or above: a row whose scores are too uncertain to
//           give sharp moments climbs the ladder by itself, up to the cap.
[[nodiscard]] Answer enclose_forward(const Problem& problem, const Inputs& inputs,
                                     Precision precision = kFirstMultiprecision);

// Computes the given rows (indices of Answer's rows) and writes them into `answer`.
void work_rows(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
               Precision precision, Answer& answer);

// Computes the given rows again at `precision` or above and writes
// them into `answer`. New enclosures are intersected with the old ones, so none ever widens.
void refine_rows(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
                 Precision precision, Answer& answer);

// Where whoever refines an answer begins: the rung above its loosest row's; nothing at the cap.
[[nodiscard]] std::optional<Precision> rung_above(const Answer& answer);

}  // namespace attest
