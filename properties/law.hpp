// law.hpp - properties that hold for every correct subject.
//
// A law looks at one case with one subject. It may run the subject again on changed inputs; it
// never looks into it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "core/head_scores.hpp"
#include "core/subject.hpp"
#include "judge/judge_forward.hpp"
#include "oracle/precision.hpp"
#include "properties/execution.hpp"

namespace attest {

// What laws derive from a case alone, so that the subjects of one case share it.
struct SharedAnswers {
  std::optional<Answer> one_key;      // under a band of width one
  std::optional<Answer> second_call;  // under another scale and band
  std::vector<HeadScores> scores;     // of every query head, b-major; empty: not made yet
  std::vector<HeadScores> dp;         // likewise, of dO and V
};

// Which of a subject's configurations the law of that name tries.
struct TriedConfigurations {
  bool one = false;        // one of them, as the case's values draw it; else all
  std::string named = {};  // this one alone, if it is offered for the case
};

struct LawContext {
  const Problem& problem;
  const Inputs& inputs;
  const Answer& answer;  // the oracle's, of these inputs
  const Subject& subject;
  const RunSettings& settings;
  const Outputs& outputs;  // of the subject on these inputs
  // The gradients, end to end; null for pass=fwd.
  const BackwardAnswer* gradients = nullptr;
  // How a law encloses the gradients of inputs that it has changed: nothing, by binary64; else on
  // the ladder. Whoever repeats an undecided check raises it.
  std::optional<Precision> rung = std::nullopt;
  const PassMemory* memory = nullptr;  // of the run that left `outputs`
  SharedAnswers* shared = nullptr;     // of the case; null where there is one subject
  TriedConfigurations tried = {};
};

struct LawOutcome {
  bool applicable = true;  // false: the law says nothing about this case
  Verdict verdict = Verdict::accept;
  std::string detail;          // why it is not accepted, for a person
  std::string setting;         // how what was judged differs from the case, if it does
  std::string configuration;   // of the subject, where another than its own choice is at fault
  bool other_problem = false;  // of other shapes, scale or band: its rows are not the case's
  std::optional<Judgement> judgement;  // of laws that judge values
  RunOutcome trouble;                  // of an extra run that crashed or broke rules
};

// Cases of which pass a law speaks of.
enum class Passes : std::uint8_t { fwd, bwd, both };

struct Law {
  std::string_view name;     // accuracy, constant_v, dead_rows, containment, ...
  std::string_view promise;  // one sentence
  Passes passes = Passes::both;
  LawOutcome (*check)(const LawContext& context) = nullptr;
  bool reruns = false;  // runs the subject again, once or more: what makes a case dear
  // Problems outside of it have nothing for the law (laws/scope.hpp); null: it has none.
  bool (*scope)(const Problem& problem) = nullptr;

  [[nodiscard]] bool speaks_of(Pass pass) const {
    return passes == Passes::both || (passes == Passes::bwd) == (pass == Pass::bwd);
  }
  // May it apply to a case of this problem?
  [[nodiscard]] bool may_speak_of(const Problem& problem) const {
    return speaks_of(problem.pass) && (scope == nullptr || scope(problem));
  }
};

// In the order in which they are checked and reported.
[[nodiscard]] std::span<const Law> laws();

// Throws Error (usage) listing the known names.
[[nodiscard]] const Law& law_named(std::string_view name);

}  // namespace attest
