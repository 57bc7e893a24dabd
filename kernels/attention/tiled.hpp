// tiled.hpp - the tiled kernel, its healthy variants and its broken forms, as subjects.
#pragma once

#include <vector>

#include "kernels/attention/emulated_subject.hpp"

namespace attest {

// `tiled` first, then its variants.
[[nodiscard]] std::vector<DescribedSubject> tiled_subjects();

// canary/p-spilled: `tiled`, and right, but it writes P to global memory and reads it back.
[[nodiscard]] std::vector<DescribedSubject> tiled_canaries();

// machine-fault/...: each breaks a rule of the machine; head dimensions up to 64.
[[nodiscard]] std::vector<DescribedSubject> machine_fault_subjects();

}  // namespace attest
