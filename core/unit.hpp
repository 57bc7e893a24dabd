// unit.hpp - the arithmetic that multiplies matrices: names only. What each costs in accuracy
// stands in judge/arithmetic, how the emulated ones compute in kernels/machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attest {

enum class Unit : std::uint8_t { fp32_seq, exact_rn, v100, a100, h100, device };

inline constexpr Unit kUnits[] = {Unit::fp32_seq, Unit::exact_rn, Unit::v100,
                                  Unit::a100,     Unit::h100,     Unit::device};

[[nodiscard]] std::string_view name_of(Unit unit);
// Accepts the aliases ada (a100), h200 and b200 (h100).
[[nodiscard]] std::optional<Unit> unit_named(std::string_view name);

}  // namespace attest
