// execution.hpp - one run of a subject on fresh, poisoned buffers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/subject.hpp"

namespace attest {

struct Outputs {
  Tensor o;
  Tensor lse;
  Tensor dq = {};  // this and the next two: empty unless a backward ran
  Tensor dk = {};
  Tensor dv = {};
  friend bool operator==(const Outputs&, const Outputs&) = default;
};

// One output and what its rows are: queries, or keys.
struct NamedOutput {
  std::string_view name;
  const Tensor* tensor;
  bool by_keys;
};

// o and lse; the gradients, where there are any; both.
[[nodiscard]] std::vector<NamedOutput> named_forward(const Outputs& outputs);
[[nodiscard]] std::vector<NamedOutput> named_gradients(const Outputs& outputs);
[[nodiscard]] std::vector<NamedOutput> named_outputs(const Outputs& outputs);

// "o[b=0 h=2 i=17 d=5]", "dk[b=0 h=1 j=3 d=0]".
[[nodiscard]] std::string place_in(const NamedOutput& output, Index b, Index h, Index row,
                                   Index column);

// What each pass did to its machine's memory; nothing where that is not counted.
struct PassMemory {
  std::optional<MemoryUse> forward;
  std::optional<MemoryUse> backward;
};

struct Execution {
  RunOutcome outcome;
  Outputs outputs;  // meaningful when outcome.kind is ran
  PassMemory memory = {};
};

// The NaN pattern that outputs hold before a run, so that what a subject leaves unwritten shows.
[[nodiscard]] std::uint64_t poison_bits(Format format);
// A tensor that holds nothing else.
[[nodiscard]] Tensor poisoned(Format format, const Extents& extents);
// All outputs of the problem's pass, untouched.
[[nodiscard]] Outputs poisoned_outputs(const Problem& problem);

// The first element of a row below its length that still holds the poison, as
// "o[b=0 h=2 i=17 d=5]"; empty if all were written. Where NaN is due, only this tells a NaN from
// nothing.
[[nodiscard]] std::string first_unwritten(const Problem& problem,
                                          std::span<const NamedOutput> outputs);

// The forward and, for pass=bwd, the backward from what the forward left.
// Requires: the subject supports the problem on settings.unit.
[[nodiscard]] Execution execute(const Subject& subject, const Problem& problem,
                                const Inputs& inputs, const RunSettings& settings);

// The backward alone, from the O and LSE of `stored`, which the outputs hold as well.
// Requires: in addition, problem.pass is bwd and `stored` has the problem's shapes.
[[nodiscard]] Execution execute_backward(const Subject& subject, const Problem& problem,
                                         const Inputs& inputs, const Outputs& stored,
                                         const RunSettings& settings);

}  // namespace attest
