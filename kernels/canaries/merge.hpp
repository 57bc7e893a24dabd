// merge.hpp - O and LSE of a row from those of the parts into which its keys were split.
//
// A part without a live key is (0, -inf), and so is the whole of such parts: exp(-inf - -inf) must
// not be asked for. The largest LSE is subtracted first, so that weights neither overflow nor all
// underflow, however large the parts' LSEs.
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "core/numerics.hpp"
#include "kernels/canaries/exponent_form.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

// Normalised output over some keys; LSE in natural units.
struct Part {
  std::vector<float> o;
  float lse = kMinusInfinity;
};

template <class Fault>
[[nodiscard]] float part_weight(const Fault& fault, float lse, float frame, bool exp_ftz) {
  if (fault.part_is_empty(lse)) return 0;
  return exp2_of(fault, (lse - frame) * std::numbers::log2e_v<float>, exp_ftz);
}

// Writes the whole; false if it is empty. Two parts give the same bits in either order: products
// are not fused. Requires: at least one part; parts and whole have the same number of columns.
template <class Fault>
[[nodiscard]] bool merge_parts(const Fault& fault, std::span<const Part> parts, Combine combine,
                               bool exp_ftz, Part& whole) {
  parts = parts.first(fault.merged_parts(parts.size()));
  float largest = kMinusInfinity;
  for (const Part& part : parts) {
    if (part.lse > largest) largest = part.lse;
  }
  float frame = fault.part_frame(largest);
  float l = 0;
  for (const Part& part : parts) l += part_weight(fault, part.lse, frame, exp_ftz);
  whole.o.assign(whole.o.size(), 0.0f);
  whole.lse = kMinusInfinity;
  if (fault.is_dead(l)) return false;
  whole.lse = frame + static_cast<float>(std::log(static_cast<double>(l)));
  if (combine == Combine::exp_lse) frame = whole.lse;
  for (const Part& part : parts) {
    const float w = part_weight(fault, part.lse, frame, exp_ftz);
    for (std::size_t k = 0; k < whole.o.size(); ++k) whole.o[k] += w * part.o[k];
  }
  if (combine == Combine::exp_lse) return true;
  for (float& o : whole.o) o /= l;
  return true;
}

}  // namespace attest
