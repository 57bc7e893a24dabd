#include "core/hex_float.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace attest {

std::string to_hex(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  // strtod would skip leading blanks; a canonical text has none.
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return {};
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return {};
  return value;
}

}  // namespace attest
