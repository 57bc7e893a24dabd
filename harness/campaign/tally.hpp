// tally.hpp - what a campaign counts while its cases come in.
#pragma once

#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/check_case.hpp"
#include "properties/covering/parameter.hpp"
#include "properties/covering/run_pairs.hpp"

namespace attest {

using FormatCounts = std::array<Index, std::size(kFormats)>;  // by input format, as in kFormats

struct LawCounts {
  Index accepted = 0;
  Index rejected = 0;
  Index undecided = 0;
  // The largest error/budget of a law that judges values; nothing where none were judged.
  std::optional<double> worst_ratio = std::nullopt;
  double seconds = 0;  // that it took
};

// A row of the report: (subject, input format, unit), of one pass.
struct SubjectKey {
  std::string subject;
  Format format = Format::f16;
  Unit unit = Unit::fp32_seq;
  Pass pass = Pass::fwd;
  auto operator<=>(const SubjectKey&) const = default;
};

// What `replay` found of one output.
struct ReplayCounts {
  Index judged = 0;
  Index left = 0;        // to the budget
  Index single = 0;      // of the judged: one acceptable value
  double width_sum = 0;  // TensorJudgement::width_sum

  void add(const TensorJudgement& tensor);
  // Of the judged; 0 where there are none.
  [[nodiscard]] double single_share() const;
  [[nodiscard]] double mean_width() const;
};

struct SubjectTally {
  Index cases = 0;        // run, whatever came of them
  Index three_tiles = 0;  // of those, where a row's live keys span three or more key tiles, by the
                          // tile_k that the subject declares for the problem
  Index shared = 0;       // of the cases, those judged by another subject's run, which is its own
  std::map<RunOutcome::Kind, Index> endings;  // of those, the ones that did not end well
  Index elements = 0;                         // output elements judged for value
  double signed_error_sum = 0;
  Index bounded = 0;
  std::array<ReplayCounts, 5> replay{};   // of each output, in the order of OutputTensor
  std::map<std::string, LawCounts> laws;  // by name
  std::vector<std::string> assumed;       // numerics fields that were unknown
  // By case (CaseResult::id), where bits are promised to repeat (SubjectResult::digest).
  std::map<std::string, std::string> digests;
  double seconds = 0;  // of first runs; laws have their own

  [[nodiscard]] Index troubled() const;
};

// One subject's elements under `accuracy`, and how many of them had no finite budget.
struct ElementCounts {
  Index judged = 0;
  Index unbounded = 0;
  bool narrow_scores = false;  // the subject declares an S of 16 bits

  [[nodiscard]] double unbounded_share() const {
    return judged == 0 ? 0 : static_cast<double>(unbounded) / static_cast<double>(judged);
  }
};

struct FamilyTally {
  std::string name;
  std::string title;
  bool backward_only = false;  // no forward case is drawn from it
  FormatCounts cases{};
  double worst_o = 0;  // largest error/budget that `accuracy` saw
  double worst_lse = 0;
  // Of dQ, dK, dV, likewise: end to end, and from the stored O and LSE.
  std::array<double, 3> worst_gradients{};
  std::array<double, 3> worst_stages{};
  std::map<std::string, ElementCounts> elements;   // by subject: of O and LSE
  std::map<std::string, ElementCounts> gradients;  // likewise, of the gradients in both views

  [[nodiscard]] Index judged() const;         // of O and LSE
  [[nodiscard]] Index judged_in_all() const;  // and of the gradients, in both views
  [[nodiscard]] Index unbounded() const;      // likewise
  // A 16-bit S and large scores explain a missing budget by themselves.
  [[nodiscard]] bool has_to_be_bounded(const ElementCounts& counts) const;
  // Of the subject where it is largest, among those that have to be bounded.
  [[nodiscard]] double worst_unbounded_share() const;
};

// A fresh case, as far as covering counts it.
struct FreshFeatures {
  Pass pass = Pass::fwd;
  Features features = all_open();
  bool ran = false;  // not declined by every subject
};

struct Tally {
  std::map<SubjectKey, SubjectTally> subjects;
  std::map<std::string, Index> unsupported;                     // cases declined, by subject
  std::map<std::string, std::map<std::string, Index>> reasons;  // of these, by reason
  std::vector<std::string> laws;               // every law's name, in the order of checking
  std::vector<FamilyTally> families;           // every family, from the start; fresh cases
  std::map<std::string, Index> shape_classes;  // likewise
  FormatCounts fresh{};                        // fresh cases by input format
  FormatCounts fresh_three_tiles{};            // of those, with three or more key tiles
  std::vector<FreshFeatures> features;         // of each fresh case
  std::map<Pass, RunPairs> run_pairs;          // of fresh cases, and subjects that ran them
  Index goldens = 0;
  Index counterexamples = 0;
  int bits = 0;  // the highest working precision that the oracle used

  Tally();
  // Verdicts and runs of any case.
  void add(const CaseResult& result);
  // What a fresh case reached.
  void add_fresh(const CaseResult& result);

  // The laws that speak of cases of this pass.
  [[nodiscard]] std::vector<std::string> laws_of(Pass pass) const;

  // Requires: `name` is a family.
  [[nodiscard]] FamilyTally& family(std::string_view name);

  [[nodiscard]] Index cases() const;  // goldens, counterexamples and fresh
  // Verdicts of laws: none where nothing ran, or no law had anything to say.
  [[nodiscard]] Index judged() const;
};

}  // namespace attest
