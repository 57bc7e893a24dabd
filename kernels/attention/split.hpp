// split.hpp - attention with the keys in parts, as subjects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/attention/emulated_subject.hpp"
#include "kernels/attention/split_forms.hpp"

namespace attest {

// A sentence naming what is beyond the kernels' reach; nothing when they take the problem.
[[nodiscard]] std::optional<std::string> beyond_split(const SplitConfig& config,
                                                      const Problem& problem);
[[nodiscard]] std::optional<std::string> beyond_decode(const Problem& problem);

// What the forms declare; the unit is open.
[[nodiscard]] Numerics split_numerics(const SplitConfig& config, const Problem& problem);
[[nodiscard]] Numerics decode_numerics(const Problem& problem);

// `split`, its variants, and `decode`.
[[nodiscard]] std::vector<DescribedSubject> split_subjects();

}  // namespace attest
