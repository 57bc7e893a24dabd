// exponential_sum.hpp - the sign of a sum of exponentials with exact exponents and coefficients.
//
// It is what "on which side of r does an output lie" comes down to. No precision of interval
// arithmetic ever shows that such a sum is 0; equal exponents do, exactly, since distinct ones have
// linearly independent exponentials (error-analysis.md, Theorem 20).
#pragma once

#include <optional>
#include <vector>

#include "oracle/real.hpp"

namespace attest {

// Holds every sum of products of inputs of at most 32 bits, times a scale, without rounding.
using ExactReal = Real<400>;

struct ExponentialTerm {
  ExactReal exponent;
  ExactReal coefficient;
};

// The sign of sum_g coefficient_g exp(exponent_g): -1, 0 or 1. Nothing where 400 digits do not
// tell, or do not hold a difference of exponents or a sum of coefficients.
[[nodiscard]] std::optional<int> sign_of_sum(std::vector<ExponentialTerm> terms);

}  // namespace attest
