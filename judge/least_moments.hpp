// least_moments.hpp - what a sharper answer could lower the moments of a loose row to.
//
// Budgets grow with every moment, so those of lower bounds are lower bounds of budgets
// (error-analysis.md, Lemma 19). Only what makes the large terms is bounded from below with any
// care; for the rest 0 is a lower bound.
#pragma once

#include "core/answer.hpp"

namespace attest {

[[nodiscard]] RowMoments least_of(const RowMoments& loose);

[[nodiscard]] ElementMoments least_of(const LeastMoments& bounds);

// The least magnitude in the enclosure, as a point.
[[nodiscard]] Enclosure nearest(const Enclosure& exact);

}  // namespace attest
