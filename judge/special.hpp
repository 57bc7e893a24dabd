// special.hpp - classes before numbers: NaN, infinities, dead rows and rows beyond the lengths.
//
// An exact NaN or infinity is never a wildcard. error-analysis.md, section 4.
#pragma once

#include <optional>
#include <string>

#include "core/enclosure.hpp"
#include "core/format.hpp"
#include "core/semantics.hpp"
#include "judge/budget.hpp"
#include "judge/verdict.hpp"

namespace attest {

struct ClassVerdict {
  Verdict verdict = Verdict::accept;
  std::string reason;  // when it is not accepted
};

// The verdict where the class alone decides; nothing when the number has to be judged.
//
//   exact_class  not dead and not beyond.
//   rounds_away  the output rounds to nearest, so that it may overflow to infinity.
[[nodiscard]] std::optional<ClassVerdict> judge_class(double observed, OutputClass exact_class,
                                                      const Enclosure& exact, const Budget& budget,
                                                      Format format, bool rounds_away);

// Rows without a live key, and rows at or beyond lq; nothing where the declaration leaves the
// value open.
[[nodiscard]] std::optional<ClassVerdict> judge_declared_o(double observed, OutputClass row_class,
                                                           const Semantics& semantics);
[[nodiscard]] std::optional<ClassVerdict> judge_declared_lse(double observed, OutputClass row_class,
                                                             const Semantics& semantics);
// A gradient that no live pair reaches, or one of a row or key at or beyond its length. Zeros of
// both signs are zero.
[[nodiscard]] std::optional<ClassVerdict> judge_declared_gradient(double observed,
                                                                  OutputClass element_class,
                                                                  const Semantics& semantics);

}  // namespace attest
