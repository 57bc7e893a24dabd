// case.hpp - a problem with its data, named by one canonical string.
//
//   attest1:b=2;hq=6;...;pass=fwd;family=F7;seed=42          values drawn by a family
//   attest1:...;pass=fwd;data=q:3c00..,k:..,v:..             values as bits, row-major; for
//                                                            pass=bwd also dout:.. and glse:..
//   attest1:...;pass=fwd;data=sha256:<64 hex digits>         values in a file of that digest
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/problem.hpp"
#include "core/tensor.hpp"

namespace attest {

// The data of one case: q, k, v and, for pass=bwd, dO in the problem's input format and shapes.
struct Inputs {
  Tensor q;
  Tensor k;
  Tensor v;
  Tensor dout = {};  // [batch, heads_q, n_q, d_v]; empty for pass=fwd
  Tensor glse = {};  // [batch, heads_q, n_q, 1] in f32: gL; empty unless glse=yes
  friend bool operator==(const Inputs&, const Inputs&) = default;
};

// Zero-filled inputs of the right formats and shapes.
[[nodiscard]] Inputs zero_inputs(const Problem& problem);

// Do formats and shapes agree with the problem's?
[[nodiscard]] bool has_shapes_of(const Inputs& inputs, const Problem& problem);

struct FamilyData {
  std::string family;
  std::uint64_t seed = 0;
  friend bool operator==(const FamilyData&, const FamilyData&) = default;
};

struct FileData {
  std::string sha256;
  friend bool operator==(const FileData&, const FileData&) = default;
};

struct Case {
  Problem problem;
  std::variant<FamilyData, Inputs, FileData> data;
  friend bool operator==(const Case&, const Case&) = default;
};

// Inputs of at most this many bytes are written into the string itself.
inline constexpr Index kLargestLiteral = 4096;

// What the inputs of this problem take, without making them.
[[nodiscard]] Index literal_bytes(const Problem& problem);

[[nodiscard]] inline Index bytes_of(const Inputs& inputs) {
  return static_cast<Index>(inputs.q.bytes().size() + inputs.k.bytes().size() +
                            inputs.v.bytes().size() + inputs.dout.bytes().size() +
                            inputs.glse.bytes().size());
}

// Requires: literal data has the problem's shapes.
[[nodiscard]] std::string to_string(const Case& c);
// Throws Error (usage) with the offset of what is wrong. Family names are checked by who draws.
[[nodiscard]] Case parse_case(std::string_view text);

}  // namespace attest
