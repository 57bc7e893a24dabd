// known_arguments.hpp - the arguments of a forward's exponentials, as the very binary32 numbers
// that a declared form computes from scores that are known.
//
// error-analysis.md, Corollary 35.1.
#pragma once

#include <optional>

#include "core/numerics.hpp"

namespace attest {

// scale * log2(e) in binary32, unless binary64 cannot tell how that rounds.
[[nodiscard]] std::optional<float> declared_constant(float scale, ConstantRounding rounding);

class KnownArguments {
 public:
  // `c` is the declared constant.
  KnownArguments(Exponent form, float c) : form_(form), c_(c) {}

  // What maxima are taken of, for a score that is not scaled.
  [[nodiscard]] float framed(float score) const;
  // Of a weight, and of the factor for a rise of the maximum; both arguments are framed.
  [[nodiscard]] float of_weight(float score, float maximum) const;
  [[nodiscard]] float of_rise(float before, float after) const;

 private:
  Exponent form_;
  float c_;
};

}  // namespace attest
