// backward_forms.hpp - the forms of the tiled backward that exist, by name: one table for both
// machines.
#pragma once

#include <iterator>
#include <string_view>

#include "kernels/attention/backward_config.hpp"

namespace attest {

struct BackwardForm {
  std::string_view name;     // of its subject
  std::string_view forward;  // the row of kTiledForms that runs before it
  BackwardConfig config;
};

inline constexpr BackwardForm kBackwardForms[] = {
    {"tiled", "tiled", {}},
    {"variant/tiled-fused", "variant/tiled-fused", {.exponent = Exponent::fused}},
    {"variant/tiled-approx", "variant/tiled-approx", {.approximate = true}},
    {"variant/tiled-atomic-dq", "tiled", {.dq = DqBy::atomic_sums}},
};
inline constexpr int kBackwardFormCount = static_cast<int>(std::size(kBackwardForms));

}  // namespace attest
