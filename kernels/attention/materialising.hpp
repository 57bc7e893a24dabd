// materialising.hpp - attention by three kernels with S and P in global memory, as subjects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/attention/emulated_subject.hpp"

namespace attest {

// A sentence naming what is beyond these kernels' reach; nothing when they take the problem.
[[nodiscard]] std::optional<std::string> beyond_materialising(const Problem& problem);

// `materialising` first, then its variant.
[[nodiscard]] std::vector<DescribedSubject> materialising_subjects();

}  // namespace attest
