#include "judge/known_arguments.hpp"

#include <cmath>
#include <limits>

namespace attest {

std::optional<float> declared_constant(float scale, ConstantRounding rounding) {
  if (rounding == ConstantRounding::log2e_first) return scale * 1.44269504F;
  const double product = static_cast<double>(scale) * 1.4426950408889634;
  const auto least = static_cast<float>(product * (1 - 0x1p-51));
  const auto most = static_cast<float>(product * (1 + 0x1p-51));
  if (least != most) return std::nullopt;
  return least;
}

float KnownArguments::framed(float score) const {
  return form_ == Exponent::scaled_max ? score * c_ : score;
}

float KnownArguments::of_weight(float score, float maximum) const {
  switch (form_) {
    case Exponent::difference_first: return (score - maximum) * c_;
    case Exponent::scaled_max: return score - maximum;
    case Exponent::product_first: return score * c_ - maximum * c_;
    case Exponent::fused: return std::fma(score, c_, -(maximum * c_));
  }
  return std::numeric_limits<float>::quiet_NaN();
}

float KnownArguments::of_rise(float before, float after) const {
  return form_ == Exponent::scaled_max ? before - after : (before - after) * c_;
}

}  // namespace attest
