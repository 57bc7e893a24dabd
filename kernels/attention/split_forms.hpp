// split_forms.hpp - the forms of attention with split keys that exist, by name.
//
// They differ in what host code chooses, so that all of them run the same compiled kernels.
#pragma once

#include <string_view>

#include "core/numerics.hpp"

namespace attest {

struct SplitConfig {
  bool narrow = false;  // partial outputs in the format of q and k, not in binary32
  Combine combine = Combine::divide;
  bool many = false;  // a part a tile, and more parts than tiles
  int parts = 0;      // so many, the last of them without a key where they are too many; 0: by plan
};

struct SplitForm {
  std::string_view name;   // of its subject
  std::string_view about;  // one sentence
  SplitConfig config;
};

inline constexpr SplitForm kSplitForms[] = {
    {"split", "tiled over parts of the keys, and a kernel that merges f32 partial outputs", {}},
    {"variant/split-16-bit",
     "split with partial outputs in 16 bits, weighted by exp(LSE_s - LSE)",
     {.narrow = true, .combine = Combine::exp_lse}},
    {"variant/split-many", "split with a part a tile, and more parts than tiles", {.many = true}},
};

inline constexpr SplitForm kDecodeForm = {
    "decode", "up to 16 queries: a group's heads in one tile, a part of the keys a warp", {}};

}  // namespace attest
