// stored_factor.hpp - what turns the exact weights pi_j of a row into P_j = exp(s_j - L) for a
// stored L, by binary64.
#pragma once

#include <optional>

#include "core/backward_answer.hpp"
#include "oracle/gradient_operands.hpp"

namespace attest {

// pi_j times the factor is at least P_j, and too large by at most this, relatively, or 2^-1070.
inline constexpr double kStoredExcess = 0x1p-48;

// Nothing where binary64 cannot keep that promise: the stored LSE is far off, or scores are so
// large that two binary64 together do not hold them to 2^-55.
[[nodiscard]] std::optional<double> stored_factor(const GradientHead& head,
                                                  const GradientQuery& row, double scale,
                                                  const BackwardRow& exact);

}  // namespace attest
