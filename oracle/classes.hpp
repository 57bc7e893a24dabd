// classes.hpp - what kind of answer each output has, decided before any number is computed.
//
// Scores are taken over the extended reals: a live NaN, inf * 0 or inf - inf makes a score NaN. A
// row with a NaN or +inf score has no softmax and is NaN; a score of -inf is a weight of exactly 0.
// Two forms are undefined, since correct kernels differ: weights that are all 0 (some guard a
// maximum of -inf, others do not), and infinity in V under a weight of 0 (skipped, or 0 * inf).
// Whatever passes here leaves the numeric path with finite operands only.
#pragma once

#include <vector>

#include "core/enclosure.hpp"
#include "core/problem.hpp"
#include "oracle/operands.hpp"

namespace attest {

struct RowClass {
  // finite, nan, undefined (every live score is -inf), dead or beyond; of the row's LSE.
  OutputClass lse = OutputClass::finite;
  std::vector<Index> live;      // keys the mask lets through, ascending; filled in every class
  std::vector<Index> weighted;  // those with a finite score; filled when `lse` is finite
};

[[nodiscard]] RowClass classify_row(const Problem& problem, const KeyHead& head,
                                    const QueryRow& query, Index b, Index i);

// Class of O_ik. Non-finite V matters only where the row's own class is finite.
[[nodiscard]] OutputClass classify_output(const RowClass& row, const KeyHead& head, Index k);

}  // namespace attest
