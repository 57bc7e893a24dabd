// parameter.hpp - the features of a case that a run has to bring together, each with few values.
//
// Faults hide where two or three features meet: a tail of one key under a window, a wide head with
// four query heads to a key head. What the draw alone brings together is a matter of luck; a plan
// (covering/plan.hpp) sees to it, and a report counts it (covering/cells.hpp). A pass is no
// parameter: each has cases, and so a plan and counts, of its own. Nor is what a run adds to a
// case: laws place tensors in several layouts, units take turns, and parts of the keys are each
// subject's own, so every case that such a subject takes meets them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/case.hpp"

namespace attest {

enum Parameter : std::uint8_t {
  kInput,
  kOutput,
  kFamilyDrawn,
  kBand,
  kAlignment,
  kBatch,
  kGroup,
  kLengths,
  kQueries,
  kKeys,
  kReach,
  kDim,
  kValueDim,
  kLseGradient,
  kParameters  // how many there are
};

// Values of the parameters, in their order of declaration in parameter.cpp.
enum BandKind : std::uint8_t { kNoBand, kCausalBand, kWindowBand, kOneSidedBand, kNegativeBand };
enum Lengths : std::uint8_t { kNoLengths, kQueryLengths, kKeyLengths, kBothLengths };
enum Count : std::uint8_t { kZero, kSingle, kWhole, kOneOver, kOneShort, kBetween };  // modulo 16
enum Dim : std::uint8_t { kRagged, kEights, kSixteens, kWide };

// The longest row of keys that is one tile of the widest kernels.
inline constexpr Index kOneReach = 64;

struct ParameterNames {
  std::string_view name;
  std::span<const std::string_view> values;
};
[[nodiscard]] const ParameterNames& names_of(Parameter parameter);

inline constexpr std::int8_t kOpen = -1;  // no value, any value
// A value of each parameter: an index into its names.
using Features = std::array<std::int8_t, kParameters>;
[[nodiscard]] constexpr Features all_open() {
  Features open{};
  open.fill(kOpen);
  return open;
}

[[nodiscard]] Count count_class(Index count);
// The family is left open.
[[nodiscard]] Features features_of(const Problem& problem);
// Open where the case has no family, or a format that fresh cases do not have.
[[nodiscard]] Features features_of(const Case& c);

}  // namespace attest
