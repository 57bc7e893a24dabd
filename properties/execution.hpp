// execution.hpp - one run of a subject on fresh, poisoned buffers.
#pragma once

#include <string>

#include "core/case.hpp"
#include "core/subject.hpp"

namespace attest {

struct Outputs {
  Tensor o;
  Tensor lse;
  friend bool operator==(const Outputs&, const Outputs&) = default;
};

struct Execution {
  RunOutcome outcome;
  Outputs outputs;  // meaningful when outcome.kind is ran
};

// The NaN pattern that outputs hold before a run, so that what a subject leaves unwritten shows.
[[nodiscard]] std::uint64_t poison_bits(Format format);
// A tensor that holds nothing else.
[[nodiscard]] Tensor poisoned(Format format, const Extents& extents);

// The first element of a row below lq that still holds the poison, as "o[b=0 h=2 i=17 d=5]"; empty
// if all were written. Where NaN is due, only this tells a NaN from nothing.
[[nodiscard]] std::string first_unwritten(const Problem& problem, const Outputs& outputs);

// Requires: the subject supports the problem on settings.unit.
[[nodiscard]] Execution execute(const Subject& subject, const Problem& problem,
                                const Inputs& inputs, const RunSettings& settings);

}  // namespace attest
