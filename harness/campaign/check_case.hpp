// check_case.hpp - one case against some subjects under some laws: one oracle evaluation for all.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/answer.hpp"
#include "core/case.hpp"
#include "core/subject.hpp"
#include "properties/law.hpp"

namespace attest {

struct LawResult {
  const Law* law = nullptr;
  LawOutcome outcome;
};

// One subject on one case.
struct SubjectResult {
  const Subject* subject = nullptr;
  Unit unit = Unit::fp32_seq;
  std::optional<std::string> unsupported;  // why it declined; nothing else is set then
  RunOutcome trouble;                      // of the first run, or of a law's extra run
  std::vector<LawResult> laws;             // the applicable ones, in order
};

struct CaseResult {
  Case c;
  std::vector<SubjectResult> subjects;
  int bits = 0;  // the highest working precision that the oracle used
};

// Which units a subject is offered; one is taken per case, by rotation over those it supports.
struct UnitChoice {
  std::vector<Unit> units;
  std::uint64_t turn = 0;
};

// All laws, in the order of checking.
[[nodiscard]] std::vector<const Law*> every_law();

// Every emulated unit, what a run offers when nobody asks for one.
[[nodiscard]] std::vector<Unit> emulated_units();

[[nodiscard]] CaseResult check_case(const Case& c, const Inputs& inputs,
                                    std::span<const Subject* const> subjects,
                                    std::span<const Law* const> laws, const UnitChoice& units);

// The same where the answer is at hand, as for a golden.
[[nodiscard]] CaseResult check_case(const Case& c, const Inputs& inputs, Answer answer,
                                    std::span<const Subject* const> subjects,
                                    std::span<const Law* const> laws, const UnitChoice& units);

// The verdict of all laws and runs: what decides the exit status. A crash is a reject.
[[nodiscard]] Verdict verdict_of(const SubjectResult& result);

}  // namespace attest
