// tiled_forms.hpp - the forms of the tiled kernel that exist, by name: one table for both machines.
#pragma once

#include <string_view>

#include "kernels/attention/tiled_config.hpp"

namespace attest {

struct TiledForm {
  std::string_view name;   // of its subject
  std::string_view about;  // one sentence
  TiledConfig config;
};

inline constexpr TiledForm kTiledForms[] = {
    {"tiled", "flash attention: online softmax over tiles of keys, 16-bit tile products", {}},
    {"variant/tiled-fused", "tiled with exp2(fma(x, c, -m c))", {.exponent = Exponent::fused}},
    {"variant/tiled-product-first",
     "tiled with exp2(x c - m c)",
     {.exponent = Exponent::product_first}},
    {"variant/tiled-scaled-max",
     "tiled with a maximum of scaled scores",
     {.exponent = Exponent::scaled_max}},
    {"variant/tiled-rounded-sum",
     "tiled with l summed from the rounded P",
     {.l_from = LFrom::rounded}},
    {"variant/tiled-16-keys", "tiled with tiles of 16 keys", {.most_keys = 16}},
    {"variant/tiled-32-queries",
     "tiled with 32 queries and 32 keys a block",
     {.most_warps = 2, .most_keys = 32}},
    {"variant/tiled-approx", "tiled with the machine's own exp2 and log", {.approximate = true}},
};

// Right numbers in a wrong way: for laws that look at more than numbers.
inline constexpr TiledForm kTiledCanaries[] = {
    {"canary/p-spilled", "P is spilled to global memory and read back", {.spill_p = true}},
};

inline constexpr TiledForm kMachineFaults[] = {
    {"machine-fault/missing-barrier",
     "the next tile of keys overwrites one that slower warps still read",
     {.fault = MachineFault::missing_barrier}},
    {"machine-fault/read-past-tail",
     "a ragged last tile is read as if it were whole",
     {.fault = MachineFault::read_past_tail}},
    {"machine-fault/unwritten-tail",
     "rows of a ragged tile beyond the last key are left as they were",
     {.fault = MachineFault::unwritten_tail}},
    {"machine-fault/divergent-collective",
     "rows that see no key skip a shuffle of their warp",
     {.fault = MachineFault::divergent_collective}},
};

}  // namespace attest
