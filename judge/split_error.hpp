// split_error.hpp - what dealing the keys into parts adds to a row's error.
//
// A part's weights carry the error that an LSE sees (error-analysis.md, Lemma 16), and after the
// merge one more, tau_j, for the part's LSE and its own weight (error-analysis.md, Theorem 15).
// Both are linear in the factors of core/moments, so that the moments of the whole row do.
#pragma once

#include "core/moments.hpp"
#include "judge/arithmetic.hpp"
#include "judge/score_error.hpp"

namespace attest {

// The parts of a row as far as they hold live keys; others cost nothing.
struct LiveParts {
  Index parts = 1;
  Index keys = 0;   // most live keys of a part
  Index tiles = 1;  // most tiles of a part with a live key
};
[[nodiscard]] LiveParts live_parts(const Resolved& arithmetic, const RowMoments& row);

// Does merging this many parts round at all? One part alone passes through with a weight of 1.
[[nodiscard]] bool merge_rounds(const Resolved& arithmetic, Index parts);

// What bounds a part's computed LSE, before its own roundings.
struct PartSums {
  double max_score = 0;  // of |m^|, in natural units
  double max_shift = 0;  // r*
  double slack = 0;      // how far log l^ may be off: weights, additions, rounded weights
};

struct MergeError {
  Coefficients merge{};  // tau_j
  // exp_lse: weights of the numerator are not those of LSE's sum.
  Coefficients mismatch{};  // by how much they differ, in the logarithm
  double whole_lse = 0;     // likewise the rounding of the LSE that they are relative to
  double chain = 0;         // the merge's additions and rescalings, relative to a sum, not divided
};
[[nodiscard]] MergeError bound_merge(const Resolved& arithmetic, const RowMoments& row,
                                     const LiveParts& live, const PartSums& sums);

// What the logarithm's own error makes of a sum whose logarithm is at most `log_l` in magnitude.
[[nodiscard]] double error_of_log(const LogError& log, double log_l);

// The product of a maximum, |m| in natural units, with the scale (or with ln 2), which an LSE adds
// to log l.
[[nodiscard]] double error_of_max_product(const Resolved& arithmetic, double m);

}  // namespace attest
