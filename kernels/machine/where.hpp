// where.hpp - a line of a kernel.
#pragma once

#include <source_location>
#include <string>
#include <string_view>

namespace attest {

using Where = std::source_location;

[[nodiscard]] inline bool same_file(Where a, Where b) {
  // Nearly always one string in memory: this is on the path of every collective.
  return a.file_name() == b.file_name() || std::string_view(a.file_name()) == b.file_name();
}
[[nodiscard]] inline bool same_line(Where a, Where b) {
  return a.line() == b.line() && same_file(a, b);
}
// The very same call, where a line holds several.
[[nodiscard]] inline bool same_call(Where a, Where b) {
  return a.column() == b.column() && same_line(a, b);
}

// Does it name a line? Where{} names none.
[[nodiscard]] inline bool is_somewhere(Where where) { return where.line() != 0; }

// "kernels/attention/tiled_forward.hpp:88"
[[nodiscard]] inline std::string text_of(Where where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

}  // namespace attest
