// plugin_library.hpp - a shared library behind attest/subject.h. Its code runs from the moment it
// is opened, so that only a worker opens one.
#pragma once

#include <filesystem>
#include <memory>

#include "harness/subjects/isolation/callee.hpp"

namespace attest {

// Opens the library and looks at its table. What is wrong with it is the answer to describe().
[[nodiscard]] std::unique_ptr<Callee> plugin_callee(const std::filesystem::path& library);

}  // namespace attest
