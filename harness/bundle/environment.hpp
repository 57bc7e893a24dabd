// environment.hpp - what made a verdict, besides the case: this program, its build, the machine.
#pragma once

#include <string>
#include <string_view>

namespace attest {

[[nodiscard]] std::string_view attest_version();  // "0.1.0"

// A line each: version, oracle, compiler and flags, operating system. No time and no names of
// people or folders, so that the same program on the same machine says the same.
[[nodiscard]] std::string environment_text();

}  // namespace attest
