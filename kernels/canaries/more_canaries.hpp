// more_canaries.hpp - canaries that canary.cpp lists after its own, in files of their own because
// each is a kernel to compile.
#pragma once

#include <span>

#include "kernels/canaries/canary.hpp"

namespace attest {

[[nodiscard]] std::span<const Canary> forward_canaries();
[[nodiscard]] std::span<const Canary> backward_canaries();

}  // namespace attest
