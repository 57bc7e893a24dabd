// program_files.hpp - where the running program finds what belongs to it, wherever it was moved.
//
// Installed, it is bin/attest, and beside bin are libexec/attest, with the programs that it starts,
// and share/attest, with its goldens. In a build tree these programs lie beside it, and
// share/attest leads into the sources.
#pragma once

#include <filesystem>
#include <string_view>

namespace attest {

// Beside the running program, else in the first libexec/attest of the folders above it. Where there
// is none, the place beside it, for whoever says what is missing.
[[nodiscard]] std::filesystem::path companion_program(std::string_view name);

// In the first share/attest of the running program's folder and those above it; or, likewise, where
// it would be in the nearest.
[[nodiscard]] std::filesystem::path companion_data(std::string_view name);

}  // namespace attest
