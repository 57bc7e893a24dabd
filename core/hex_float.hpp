// hex_float.hpp - binary64 as text that reads back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attest {

// "0x1.8p-3", "inf", "-inf", "nan": what C's %a prints.
[[nodiscard]] std::string to_hex(double value);

// Reads a decimal or hexadecimal number, or inf or nan; nothing if any character is left over.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace attest
