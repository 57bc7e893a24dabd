// rounded_set.hpp - what a store may have kept of a value that is known to lie in an interval.
//
// A rounding never decreases, so what the ends of the interval become bounds what anything between
// them becomes: error-analysis.md, Lemma 31. Most intervals of a replay are so narrow against the
// format that both ends round alike; then what was stored is known exactly.
#pragma once

#include "core/format.hpp"

namespace attest {

struct StoreRule {
  Format format = Format::f32;
  Rounding rounding = Rounding::nearest_even;
  bool flushed = false;  // results below the normal range may become 0
};

// From the least to the largest value that may have been stored. Infinities are such values.
struct RoundedSet {
  double lo = 0;
  double hi = 0;

  [[nodiscard]] bool is_single() const { return lo == hi; }
  [[nodiscard]] bool holds(double stored) const { return lo <= stored && stored <= hi; }
  // Each value lies within half_width() of centre(). Requires: lo and hi are finite.
  [[nodiscard]] double centre() const { return lo == hi ? lo : lo / 2 + hi / 2; }
  [[nodiscard]] double half_width() const;
};

// Requires: lo <= hi, no NaN.
[[nodiscard]] RoundedSet rounded_set(double lo, double hi, const StoreRule& rule);

}  // namespace attest
