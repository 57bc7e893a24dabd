// capabilities.hpp - what a subject from elsewhere declares that it can do, and what it promises.
//
// Both cross the interface of attest/subject.h as text, like numerics and semantics. What is not
// declared is never asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.hpp"

namespace attest {

struct FormatPair {
  Format in = Format::f16;
  Format out = Format::f16;
  friend bool operator==(const FormatPair&, const FormatPair&) = default;
};

struct HeadDims {
  Index d_qk = 1;
  Index d_v = 1;
  friend bool operator==(const HeadDims&, const HeadDims&) = default;
};

// Each kind but `band` is a part of the next one but `causal`, which is a window, too.
struct Masks {
  bool full = true;  // no mask
  bool causal = false;
  bool window = false;  // left, right >= 0
  bool band = false;    // any left and right
  friend bool operator==(const Masks&, const Masks&) = default;
};

struct Capabilities {
  std::vector<FormatPair> formats;
  std::optional<std::vector<HeadDims>> head_dims;  // nullopt: any
  Masks masks;
  bool gqa = false;
  bool varlen = false;
  bool glse = false;
  Index alignment = 1;  // of each tensor, in bytes, beyond that of its elements
  bool cuda = false;    // runs on a GPU; its tensors lie in host memory all the same

  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

struct Promises {
  bool deterministic = false;    // the same values give the same bits
  bool batch_invariant = false;  // likewise whatever else is in the batch
  friend bool operator==(const Promises&, const Promises&) = default;
};

// Throw Error (usage) on what they do not know, listing what they do.
[[nodiscard]] Capabilities parse_capabilities(std::string_view text);
[[nodiscard]] Promises parse_promises(std::string_view text);

// Why a subject with these capabilities is not asked for the problem; nothing when it is.
[[nodiscard]] std::optional<std::string> beyond(const Capabilities& capabilities,
                                                const Problem& problem);

// The problem, changed where it is beyond: another format, other head dimensions, fewer heads, a
// mask of a kind that is there. Which of several formats or dimensions follows from the problem, so
// that many problems bring all of them. Ensures: !beyond(capabilities, nearest(...)).
[[nodiscard]] Problem nearest(const Capabilities& capabilities, const Problem& problem);

}  // namespace attest
