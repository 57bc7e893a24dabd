// backward_limits.hpp - which problems the machine's backward kernels take.
#pragma once

#include <optional>
#include <string>

#include "core/problem.hpp"

namespace attest {

// A sentence naming what is beyond a kernel's reach; nothing when it takes the problem.
[[nodiscard]] std::optional<std::string> beyond_backward_kernels(const Problem& problem);

}  // namespace attest
