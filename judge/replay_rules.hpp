// replay_rules.hpp - a declared schedule turned into the constants of its replay.
//
// A replay follows what a subject declares step by step, and knows of most 16-bit values which one
// was stored. It takes nothing at its worst: who leaves a field open that the steps depend on is
// not replayed, and only the budget speaks.
#pragma once

#include <optional>
#include <string_view>

#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "judge/arithmetic.hpp"
#include "judge/known_arguments.hpp"
#include "judge/rounded_set.hpp"

namespace attest {

// The first key of the declaration that keeps the forward from being replayed: an open field, or a
// value for which no replay is derived (Q that carries the scale, tiles in any order, keys in
// parts). Empty: it can be.
[[nodiscard]] std::string_view obstacle_to_replay(const Numerics& numerics);

// error-analysis.md, Lemma 33 and error-analysis.md, Lemma 34. Logarithms are natural.
struct ReplayRules {
  Resolved arithmetic;
  double scale = 1;
  Index d_qk = 1;
  double per_gap = 0;    // error of a weight's exponent, over its distance from the maximum
  double per_rise = 0;   // error of a rescale factor's, over the rise of the maximum
  double per_score = 0;  // of the score and, per_shift, of the maximum, where the form rounds
  double per_shift = 0;  // products of both
  bool maximum_rounds = false;     // maxima are of such products: scaled_max
  double per_exp = 0;              // of one exponential, and of what underflows in its argument
  double score_absolute = 0;       // of a score, in scaled units
  double score_relative = 0;       // of a stored score, over |s|
  bool unit_dots = false;          // the unit's rule gives scores bit for bit
  std::optional<Format> s_format;  // what they are then rounded to, if they are
  // Where they are known, and so is the constant that multiplies them.
  std::optional<KnownArguments> arguments;
  StoreRule p_store;
  bool p_wide = false;     // P stays in binary32, and is not rounded
  bool p_before = false;   // P is divided by the row sum before P V
  bool l_rounded = false;  // the row sum adds the rounded P
  StoreRule o_store;
};

// Requires: obstacle_to_replay(numerics) is empty.
[[nodiscard]] ReplayRules replay_rules(const Numerics& numerics, const Problem& problem);

}  // namespace attest
