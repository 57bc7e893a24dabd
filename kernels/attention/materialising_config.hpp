// materialising_config.hpp - the decision in which forms of the materialising kernels differ.
#pragma once

namespace attest {

// A template argument: each form has kernels of its own.
struct MaterialisingConfig {
  bool narrow_scores = false;  // S is stored in the format of q and k, not in binary32

  friend bool operator==(const MaterialisingConfig&, const MaterialisingConfig&) = default;
};

}  // namespace attest
