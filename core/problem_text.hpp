// problem_text.hpp - reading the keys of a problem out of a longer key list (a case string).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/key_values.hpp"
#include "core/problem.hpp"

namespace attest {

inline constexpr std::string_view kCasePrefix = "attest1:";

// Checks and strips "attest1:"; what follows starts at offset kCasePrefix.size().
[[nodiscard]] std::string_view strip_prefix(std::string_view what, std::string_view text);

// Reads a problem from the leading entries and says how many it took. Throws Error (usage).
struct ProblemRead {
  Problem problem;
  std::size_t entries_used;
};
[[nodiscard]] ProblemRead read_problem(std::string_view what, std::span<const KeyValue> entries);

// A decimal integer without sign, or with one leading '-'; throws Error (usage) at its offset.
[[nodiscard]] Index read_integer(std::string_view what, const KeyValue& entry);

}  // namespace attest
