// plain_config.hpp - the arithmetic of the plain kernel that may be chosen, and its declaration.
#pragma once

#include <optional>

#include "core/numerics.hpp"
#include "core/problem.hpp"

namespace attest {

struct PlainConfig {
  Index tile_k = 16;  // keys per tile; tiles start at multiples of it
  std::optional<Format> p_format =
      std::nullopt;  // what weights are rounded to before P V; default: problem.in
  LFrom l_from = LFrom::unrounded;
  Exponent exponent = Exponent::difference_first;
  bool exp_ftz = false;  // exp2 returns 0 instead of a subnormal
};

[[nodiscard]] inline Format p_format_of(const PlainConfig& config, const Problem& problem) {
  return config.p_format.value_or(problem.in);
}

// What the kernel declares: every field known.
[[nodiscard]] Numerics numerics_of(const PlainConfig& config, const Problem& problem);

}  // namespace attest
