// numerics_fields.hpp - the fields of a declaration in words, for people who write one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

struct NumericsField {
  std::string_view key;
  std::string values;  // "nearest, toward_zero, unknown"
  std::string_view about;
};

// In the order of the text form (core/numerics.hpp).
[[nodiscard]] std::vector<NumericsField> numerics_fields();

// The same without words, by key: what the text form reads.
[[nodiscard]] std::vector<NumericsField> numerics_keys();

}  // namespace attest
