// tiled.hpp - the tiled kernel, its healthy variants and its broken forms, as subjects.
#pragma once

#include <vector>

#include "kernels/attention/emulated_subject.hpp"

namespace attest {

// `tiled` first, then its variants.
[[nodiscard]] std::vector<DescribedSubject> tiled_subjects();

// machine-fault/...: each breaks a rule of the machine; head dimensions up to 64.
[[nodiscard]] std::vector<DescribedSubject> machine_fault_subjects();

}  // namespace attest
