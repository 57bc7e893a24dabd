// recomputed_weight.hpp - the weight of a pair as a declared backward computes it again.
//
// error-analysis.md, Lemma 37.
#pragma once

#include <optional>
#include <vector>

#include "core/head_scores.hpp"
#include "core/numerics.hpp"
#include "judge/arithmetic.hpp"
#include "judge/range32.hpp"

namespace attest {

class RecomputedWeights {
 public:
  // Nothing where the declaration leaves open how an exponent comes about.
  [[nodiscard]] static std::optional<RecomputedWeights> of(const Problem& problem,
                                                           const Numerics& numerics,
                                                           const Resolved& arithmetic);

  // A row's stored LSE as exponents take it.
  [[nodiscard]] float framed(float lse) const;
  // Before it is rounded to its format; kAnything where it may leave the range of binary32.
  [[nodiscard]] Range32 weight(const Range32& score, float framed_lse) const;

 private:
  [[nodiscard]] float exponent_of(float score, float framed_lse) const;

  Exponent form_ = Exponent::difference_first;
  float scale_ = 1;
  float c_ = 1;  // scale * log2(e), as declared
  double eps_ = 0;
  bool flushed_ = false;
};

// The computed value behind one number of `dots`, a dot product over `length` slots by the declared
// unit: error-analysis.md, Lemma 4 around what the oracle knows, or the very number where the
// unit's steps are known (unit_dots.hpp). kAnything where a partial sum may leave binary32.
class ReplayedDots {
 public:
  ReplayedDots(const Resolved& arithmetic, const HeadScores& dots, Index length)
      : arithmetic_(arithmetic), dots_(dots), length_(length) {}

  // The values after this are those of the row. `computed`: what the unit makes of its live keys;
  // empty where that is not known.
  void enter(Index i, std::vector<double> computed = {});
  [[nodiscard]] Range32 at(Index j) const;

 private:
  const Resolved& arithmetic_;
  const HeadScores& dots_;
  Index length_;
  Index row_ = 0;
  Index first_ = 0;
  std::vector<double> computed_;
  double relative_ = 0;  // of a size
  double absolute_ = 0;
};

}  // namespace attest
