// verdict.hpp - what the harness may say about one output element.
//
// The oracle does not hand over a number. It hands over an interval that is proved to hold the
// exact answer, and a comparison against an interval has three honest endings. This file is the
// only place that names them; reports, laws and the exit status are all folds over verdicts.
//
// Proof obligations: docs/error-analysis.md, Lemma 1.
#pragma once

#include <string_view>

#include "core/enclosure.hpp"

namespace attest {

enum class Verdict : unsigned char {
  accept,     // Every value in the enclosure lies within the budget.
  reject,     // No value in the enclosure lies within the budget.
  undecided,  // Some do and some do not: ask the oracle for a narrower one.
};

[[nodiscard]] std::string_view name_of(Verdict verdict);

// The worse of two: reject over undecided over accept.
[[nodiscard]] Verdict worse(Verdict a, Verdict b);

// Judges `observed` against an exact value that is known only to lie in `exact`.
//
//   budget  the largest |observed - exact| that the declared numerics explain, absolute.
//
// Requires: exact.lo <= exact.hi; budget finite and >= 0.
// Ensures:  exact arithmetic decides. Hence a point enclosure is never undecided, and narrowing
//           `exact` never overturns an accept or a reject. The retry loop in harness/campaign is
//           sound because of the second law; its cap on bits, not this function, makes it end.
//
// A NaN or an infinity in `observed` is rejected; where one may be due, judge/special decides.
[[nodiscard]] Verdict judge(double observed, Enclosure exact, double budget);

}  // namespace attest
