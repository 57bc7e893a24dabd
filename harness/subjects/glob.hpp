// glob.hpp - names with '*'.
#pragma once

#include <string_view>

namespace attest {

// '*' stands for any run of characters, slashes included; everything else for itself.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace attest
