// oracle_digest.hpp - which oracle this program was built with.
//
// A version number that people raise is one that people forget. The digest is that of every source
// in core/, oracle/ and this folder, in the order of their names, so an answer that is kept never
// outlives a change of what made it, not even one that changes nothing.
#pragma once

#include <string_view>

namespace attest {

// SHA-256 of what `sha256sum` prints about the sources, 64 hexadecimal digits.
[[nodiscard]] std::string_view oracle_digest();

// Compiler, flags, and versions of the libraries whose arithmetic the oracle leans on.
[[nodiscard]] std::string_view oracle_toolchain();

}  // namespace attest
