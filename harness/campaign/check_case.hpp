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
#include "harness/campaign/refine.hpp"
#include "properties/law.hpp"

namespace attest {

struct LawResult {
  const Law* law = nullptr;
  LawOutcome outcome;
  double seconds = 0;  // that it took
};

// One subject on one case.
struct SubjectResult {
  const Subject* subject = nullptr;
  Unit unit = Unit::fp32_seq;
  std::uint64_t schedule_seed = 0;
  std::optional<std::string> unsupported;  // why it declined; nothing else is set then
  Index key_tiles = 0;  // the most tiles of the declared tile_k that a row's live keys span; 0 if
                        // none is declared
  // The subject of this case whose run this one's is (catalogue.hpp): judged once, counted for
  // both.
  std::optional<std::string> shared = std::nullopt;
  RunOutcome trouble;           // of the first run, or of a law's extra run
  std::vector<LawResult> laws;  // the applicable ones, in order
  // digest_of_outputs, where the subject promises to repeat its bits (bits_promise.hpp).
  std::string digest = {};
  double seconds = 0;  // of the first run alone
};

struct CaseResult {
  Case c;
  std::vector<SubjectResult> subjects;
  int bits = 0;         // the highest working precision that the oracle used
  std::string id = {};  // digest_of_case, where somebody asked
};

// How a case is run. Of the units offered one is taken per case, by rotation over those that the
// subject supports.
struct RunChoice {
  std::vector<Unit> units;
  std::uint64_t turn = 0;  // of the rotation
  std::uint64_t schedule_seed = 0;
  int threads = 1;  // for each run
  // In place of the rotation, where it is offered and supported.
  std::optional<Unit> preferred = std::nullopt;
  // Of laws that rerun the subject, those that are due, if not all; all of them for a main subject
  // if so asked.
  std::optional<std::vector<const Law*>> rerun = std::nullopt;
  bool all_for_main = false;
  // The law `configurations` tries all that a subject offers; or one of them, in turn; or that of
  // this name alone.
  bool one_configuration = false;
  std::string configuration = {};
  OracleMemory oracle = {};  // whom to ask
  // What begins now, "law containment of plain"; from one thread.
  std::function<void(std::string_view stage)> on_stage = {};
};

// The unit on which each subject runs the case, or why it declines; nothing has run yet.
[[nodiscard]] std::vector<SubjectResult> choose_units(const Problem& problem,
                                                      std::span<const Subject* const> subjects,
                                                      const RunChoice& choice);

// Every core of this machine.
[[nodiscard]] int cores();

// All laws, in the order of checking.
[[nodiscard]] std::vector<const Law*> every_law();

// Every emulated unit, what a run offers when nobody asks for one.
[[nodiscard]] std::vector<Unit> emulated_units();

// The oracle is not asked where every subject declines.
[[nodiscard]] CaseResult check_case(const Case& c, const Inputs& inputs,
                                    std::span<const Subject* const> subjects,
                                    std::span<const Law* const> laws, const RunChoice& choice);

// The same where the answer is at hand, as for a golden.
[[nodiscard]] CaseResult check_case(const Case& c, const Inputs& inputs, Exact exact,
                                    std::span<const Subject* const> subjects,
                                    std::span<const Law* const> laws, const RunChoice& choice);

// The verdict of all laws and runs: what decides the exit status. A crash is a reject.
[[nodiscard]] Verdict verdict_of(const SubjectResult& result);

}  // namespace attest
