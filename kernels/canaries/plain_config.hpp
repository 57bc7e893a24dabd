// plain_config.hpp - the arithmetic of the plain kernel that may be chosen, and its declaration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/numerics.hpp"
#include "core/problem.hpp"

namespace attest {

// A format left open is problem.in.
struct PlainConfig {
  Index tile_k = 16;                              // keys per tile; tiles start at multiples of it
  std::optional<Format> p_format = std::nullopt;  // what weights are rounded to before P V
  bool last_tile_first = false;
  double lag = 0;  // powers of two by which the maximum may rise before anything is rescaled
  LFrom l_from = LFrom::unrounded;
  Exponent exponent = Exponent::difference_first;
  bool exp_ftz = false;  // exp2 returns 0 instead of a subnormal

  // Split keys: parts of so many, a multiple of tile_k, each with its own O and LSE.
  std::optional<Index> part_k = std::nullopt;
  std::optional<Format> part_format = Format::f32;  // of a part's O; its LSE is binary32
  Combine combine = Combine::divide;
  Index least_parts = 0;  // further ones hold no key

  // Backward.
  DSource d_source = DSource::stored_o;
  PInDs p_in_ds = PInDs::f32;
  std::optional<Format> ds_format = std::nullopt;      // what dS is rounded to before dS K, dS^T Q
  DqSum::Kind dq_sum = DqSum::Kind::ordered;           // not atomic: nothing runs beside it
  Index tile_q = 16;                                   // query rows per tile
  std::optional<Format> head_gradient = std::nullopt;  // of each head of a group apart; open: one
                                                       // chain over the group
};

[[nodiscard]] inline Format p_format_of(const PlainConfig& config, const Problem& problem) {
  return config.p_format.value_or(problem.in);
}
[[nodiscard]] inline Format ds_format_of(const PlainConfig& config, const Problem& problem) {
  return config.ds_format.value_or(problem.in);
}
[[nodiscard]] inline Format part_format_of(const PlainConfig& config, const Problem& problem) {
  return config.part_format.value_or(problem.in);
}

// Other ways to compute the problem, with names for them.
struct NamedPlainConfig {
  std::string name;  // "parts=3"
  PlainConfig config;
};

// Other tiles, unless the keys are split; and two or three parts of whole tiles, or more than
// tiles.
[[nodiscard]] std::vector<NamedPlainConfig> other_configs(const PlainConfig& own,
                                                          const Problem& problem);

// What the kernel declares: every field known that its arithmetic has.
[[nodiscard]] Numerics numerics_of(const PlainConfig& config, const Problem& problem);

}  // namespace attest
