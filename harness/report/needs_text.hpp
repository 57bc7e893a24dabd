// needs_text.hpp - what probing found, in words that claim no more than was tried.
#pragma once

#include <string>

#include "harness/campaign/failure.hpp"

namespace attest {

// What one dimension's values say of the failure.
enum class Need : std::uint8_t {
  none,   // every value that was tried fails
  some,   // not every one does
  untold  // every other value was declined, or none was tried
};

[[nodiscard]] Need need_of(const Probe& probe);

// "nk > 16", "align=br", "nq 1..257": the dimension in a few words, fit for its kind of need.
[[nodiscard]] std::string need_text(const Probe& probe);

// The lines of a failing report, each with its end; empty where nothing was tried.
[[nodiscard]] std::string needs_lines(const Needs& needs);

}  // namespace attest
