// doubled_containment.hpp - doubled numbers held against multiprecision: enclosures that contain
// the other's, moments as sharp.
#pragma once

#include <optional>

#include "core/case.hpp"
#include "oracle/enclose_backward.hpp"

namespace attest {

struct ComparedRows {
  Index rows = 0;       // with numbers
  Index by_itself = 0;  // of these, worked in doubled numbers
  Index elements = 0;   // of O in these
};

struct ComparedGradients {
  Index answers = 0;
  Index by_itself = 0;  // of these, every head in doubled numbers
  Index elements = 0;
  Index narrow = 0;  // of these, known to within a few places of binary64
};

// The same values divided by 3 and rounded: drawn ones have few bits, so that sums of their
// products are exact.
[[nodiscard]] Inputs with_all_bits(const Inputs& inputs);

// Fails, as a test, where a row that doubled numbers worked does not hold the multiprecision
// answer.
void expect_doubled_rows_hold(const Problem& problem, const Inputs& inputs, ComparedRows& result);

// Likewise gradients, end to end or of a stored forward, and their pairs.
void expect_doubled_gradients_hold(const Problem& problem, const Inputs& inputs,
                                   const std::optional<StoredForward>& stored,
                                   ComparedGradients& result);

}  // namespace attest
