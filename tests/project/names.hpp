// names.hpp - words that no name of the project may hold, since each hides a decision.
//
// Names of the standard library and of GoogleTest are not ours to choose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/project/project_files.hpp"

namespace attest::project {

// "kFirstLiveKey" and "first_live_key" are made of the same words, in small letters.
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

// "path:line: what" for the file's name and, in C++ sources, for its identifiers.
[[nodiscard]] std::vector<std::string> name_violations(const ProjectFile& file);

}  // namespace attest::project
