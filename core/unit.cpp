#include "core/unit.hpp"

namespace attest {
namespace {

constexpr std::string_view kNames[] = {"fp32-seq", "exact-rn", "v100", "a100", "h100", "device"};

constexpr struct {
  std::string_view alias;
  Unit unit;
} kAliases[] = {{"ada", Unit::a100}, {"h200", Unit::h100}, {"b200", Unit::h100}};

}  // namespace

std::string_view name_of(Unit unit) { return kNames[static_cast<int>(unit)]; }

std::optional<Unit> unit_named(std::string_view name) {
  for (const Unit unit : kUnits) {
    if (name_of(unit) == name) return unit;
  }
  for (const auto& [alias, unit] : kAliases) {
    if (alias == name) return unit;
  }
  return std::nullopt;
}

}  // namespace attest
