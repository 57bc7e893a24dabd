// exp2_model.hpp - what exp2_approx of the emulator computes.
//
// A GPU's ex2.approx is documented by a distance from the correctly rounded result, not by its
// bits. So the emulator offers the whole room that such a sentence leaves: the best member
// (exact_rn), a scattered one (random) and the worst ones, whose errors add up along a row, because
// a budget has to fear bias more than noise. Bits are a pure function of the model and the
// argument: no order of lanes, no thread and no run changes them.
//
// The declared error is proved in docs/error-analysis.md, Lemma 9.
#pragma once

#include <cstdint>

namespace attest {

struct Exp2Model {
  enum class Kind : std::uint8_t {
    exact_rn,     // 2^x rounded to nearest, ties to even
    random,       // a whole number of ulps from there, at most `ulps`, drawn from (seed, bits of x)
    worst_high,   // `ulps` above
    worst_low,    // `ulps` below
    worst_mixed,  // `ulps` above or below, the side drawn from (seed, bits of x)
  };

  Kind kind = Kind::exact_rn;
  double ulps = 0;         // distance from the correctly rounded result; exact_rn has none
  bool flush = false;      // are results below 2^-126 flushed to +0?
  std::uint64_t seed = 0;  // of random and worst_mixed
};

// 2^x as the model has it. Promises of every kind: 2^x = 1 exactly for zeros and subnormals,
// +inf -> +inf, -inf -> +0, NaN -> NaN, never negative, and finite exactly if the correctly rounded
// result is. An ulp is 2^-23 times the power of two at or below the correctly rounded result; where
// that is subnormal, the result moves first and is rounded to the subnormal grid afterwards.
//
// Requires: 0 <= ulps <= 2^20.
[[nodiscard]] float exp2_of(const Exp2Model& model, float x);

// The eps with |exp2_of(model, x) - 2^x| <= eps 2^x + eta for every x whose result is finite, with
// eta = 2^-126 where the model flushes and 2^-150 where it does not.
[[nodiscard]] double relative_error(const Exp2Model& model);

}  // namespace attest
