// values.hpp - simpler values for the data of a case, on the same problem.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.hpp"

namespace attest {

// How far a value is from being simple: 0 is simplest, then 1, -1, -0, then numbers with few
// significant bits and a small exponent, at last infinities and NaN.
[[nodiscard]] int complexity(Format format, std::uint64_t bits);

// Whole tensors, halves, rows, single elements moved toward 0, 1, -1, 2, integers, powers of two
// and fewer bits; each candidate has at least one simpler element and none less simple. At most
// some hundreds.
[[nodiscard]] std::vector<Inputs> simpler_values(const Inputs& inputs);

}  // namespace attest
