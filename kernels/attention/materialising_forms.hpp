// materialising_forms.hpp - the forms of materialising attention that exist, by name: one table for
// both machines.
#pragma once

#include <string_view>

#include "kernels/attention/materialising_config.hpp"

namespace attest {

struct MaterialisingForm {
  std::string_view name;   // of its subject
  std::string_view about;  // one sentence
  MaterialisingConfig config;
};

inline constexpr MaterialisingForm kMaterialisingForms[] = {
    {"materialising", "three kernels that hand S, in f32, and P through global memory", {}},
    {"variant/materialising-16-bit-scores",
     "materialising with S in the inputs' 16 bits",
     {.narrow_scores = true}},
};

}  // namespace attest
