// backward_rule.hpp - a declaration read as a recipe: what a replay of the backward needs to know.
//
// A budget gives an undeclared field its worst value. A replay does what was declared, so there is
// none where anything that it does is left open.
#pragma once

#include <optional>

#include "judge/backward_arithmetic.hpp"
#include "judge/recomputed_weight.hpp"
#include "judge/rounded_set.hpp"

namespace attest {

struct BackwardRule {
  BackwardArithmetic arithmetic;
  RecomputedWeights weights;
  DSource d_source = DSource::stored_o;
  bool p_rounded_in_ds = false;
  StoreRule p;
  StoreRule ds;
  StoreRule output;
  bool dots_known = false;        // the unit's scores and dP, bit for bit (unit_dots.hpp)
  std::optional<StoreRule> head;  // where each head of a group is stored before they are added
};

// Nothing unless every field of numerics.hpp that the backward has is declared, each with a value
// that a replay knows: the scale at the scores, these not stored in 16 bits, nothing flushed in
// binary32.
[[nodiscard]] std::optional<BackwardRule> backward_rule(const Problem& problem,
                                                        const Numerics& numerics);

}  // namespace attest
