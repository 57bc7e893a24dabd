// declarations.hpp - declarations for the tests of the judge, and small changes of them.
#pragma once

#include <string>
#include <string_view>

#include "core/key_values.hpp"
#include "core/numerics.hpp"

namespace attest {

// Every field known, and each as exact as a scalar kernel can be.
inline Numerics sharpest() {
  return parse_numerics(
      "unit=fp32-seq;scale_at=scores;c=once;s_store=none;exponent=difference_first;exp2=0x1p-24;"
      "exp_ftz=no;p_format=f32;p_truncated=no;p_normalised=after;l_from=unrounded;"
      "l_chain=sequential;tile_k=16;order=ascending;divide=exact;o_format=f32;o_rounding=nearest;"
      "lse_format=f32;"
      "log=0x1p-24;ftz=no;o_ftz=no");
}

// `numerics` with the keys of `changes` ("key=value;key=value") set anew.
inline Numerics changed(const Numerics& numerics, std::string_view changes) {
  std::string text(changes);
  const auto anew = split_key_values("changes", changes);
  const std::string old = to_string(numerics);
  for (const KeyValue& entry : split_key_values("numerics", old)) {
    bool replaced = false;
    for (const KeyValue& change : anew) replaced = replaced || change.key == entry.key;
    if (replaced) continue;
    if (!text.empty()) text += ';';
    text += std::string(entry.key) + "=" + std::string(entry.value);
  }
  return parse_numerics(text);
}

}  // namespace attest
