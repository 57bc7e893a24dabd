// doubled_containment.hpp - doubled numbers held against multiprecision: enclosures that contain
// the other's, moments as sharp.
#pragma once

#include "core/case.hpp"

namespace attest {

struct ComparedRows {
  Index rows = 0;       // with numbers
  Index by_itself = 0;  // of these, worked in doubled numbers
  Index elements = 0;   // of O in these
};

// The same values divided by 3 and rounded: drawn ones have few bits, so that sums of their
// products are exact.
[[nodiscard]] Inputs with_all_bits(const Inputs& inputs);

// Fails, as a test, where a row that doubled numbers worked does not hold the multiprecision
// answer.
void expect_doubled_rows_hold(const Problem& problem, const Inputs& inputs, ComparedRows& result);

}  // namespace attest
