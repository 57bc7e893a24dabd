// numerics_keys.hpp - the keys of a declaration's text, one for each field.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/numerics.hpp"

namespace attest {

inline constexpr std::string_view kUnknownField = "unknown";

// The values it knows, for a person; how its value is printed, and read (false: not a value of this
// key).
struct NumericsKey {
  std::string_view key;
  std::string values;
  std::function<std::string(const Numerics&)> print;
  std::function<bool(Numerics&, std::string_view)> read;
};

// In the order in which they are printed.
[[nodiscard]] const std::vector<NumericsKey>& numerics_key_table();

}  // namespace attest
