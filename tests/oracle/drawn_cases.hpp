// drawn_cases.hpp - random and adversarial problems for tests of the oracle, by index.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/case.hpp"

namespace attest {

enum class ValueKind : std::uint8_t {
  gaussian,
  ties,           // K takes two values only
  offset,         // scores share an offset of up to 1e6
  cancelling,     // large terms cancel in every dot product
  deep_negative,  // all scores far below 0
  subnormal,      // operands below the normal range
  one_hot,        // one key takes all the weight, gaps beyond any exponential
  wide,           // magnitudes over many binades
};

inline constexpr int kValueKinds = 8;

struct DrawnCase {
  Problem problem;
  ValueKind kind;
  Inputs inputs;
};

// Cases 0, 1, ... cover f64, f32, f16 and bf16 with every kind before they repeat one.
[[nodiscard]] DrawnCase draw_oracle_case(std::uint64_t index);
// The same in a given format.
[[nodiscard]] DrawnCase draw_oracle_case(std::uint64_t index, Format format);

// The values of that kind for a problem of one's own.
[[nodiscard]] Inputs draw_values(const Problem& problem, ValueKind kind, std::uint64_t index);

}  // namespace attest
