// type_names.hpp - the types that headers define, by their full names.
//
// Two headers that define different types of one name compile, link, and crash: a linker keeps one
// of two inline members of that name, and both callers get it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/project/project_files.hpp"

namespace attest::project {

struct DefinedType {
  std::string name;  // "attest::project::DefinedType"
  int line = 0;
};

// At namespace scope; not what is only declared, is a specialisation, or lies in an unnamed
// namespace.
[[nodiscard]] std::vector<DefinedType> types_defined_in(std::string_view text);

// "path:line: name is defined in other_path, too", of headers of one machine: what nvcc alone reads
// never meets its twin for the host. Headers that are installed for other projects are left out.
[[nodiscard]] std::vector<std::string> twin_types(const std::vector<ProjectFile>& files);

}  // namespace attest::project
