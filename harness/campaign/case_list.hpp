// case_list.hpp - the cases of a campaign by number: goldens, then counterexamples, then fresh
// ones, those of both passes side by side, so that a run which its budget ends has judged either.
//
// Case n is a function of the plan and the stored files alone, so that a campaign can go on where
// an earlier one was cut off.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/fitted_case.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/campaign/turn_plan.hpp"
#include "properties/counterexamples.hpp"
#include "properties/covering/wish.hpp"

namespace attest {

enum class Origin : std::uint8_t { golden, counterexample, fresh };

[[nodiscard]] std::string_view name_of(Origin origin);

struct NumberedCase {
  Origin origin = Origin::fresh;
  Case c;
  std::string text;  // its string; of a stored case the one that its file holds
  const NamedGolden* golden = nullptr;
  std::uint64_t turn = 0;  // of units
  std::uint64_t schedule_seed = 0;
  std::optional<Unit> unit = std::nullopt;                      // that a counterexample failed on
  std::optional<std::vector<const Law*>> rerun = std::nullopt;  // RunChoice::rerun
  std::string failed = {};  // of a counterexample: the subject that it failed
  std::uint64_t place = 0;  // likewise: among the stored cases
};

class CaseList {
 public:
  // Reads the stored cases. `own_list` is the user's list of counterexamples, or empty; the values
  // of large ones lie in the plan's state folder. The plan has to outlive the list. Throws Error.
  CaseList(const CampaignPlan& plan, const std::filesystem::path& own_list);
  CaseList(const CaseList&) = delete;
  CaseList& operator=(const CaseList&) = delete;

  [[nodiscard]] Index size() const;
  // Of these, the cases before an open end.
  [[nodiscard]] Index least_size() const;
  // Requires: 0 <= n < size(). A filter may leave a fresh case out all the same.
  [[nodiscard]] NumberedCase at(Index n) const;
  // Are fresh cases changed to what the subjects take?
  [[nodiscard]] bool are_fitted() const { return fits_.any(); }
  // The values of one of its cases.
  [[nodiscard]] Inputs values_of(const NumberedCase& one) const;
  // Those of `subjects` that take it: variants take turns.
  [[nodiscard]] std::vector<const Subject*> takers(
      const NumberedCase& one, const std::vector<const Subject*>& subjects) const;

 private:
  void list_goldens();
  void list_counterexamples(const std::filesystem::path& list, const std::filesystem::path& data);
  [[nodiscard]] std::vector<const Law*> laws_of(const Counterexample& known,
                                                std::uint64_t turn) const;
  [[nodiscard]] bool admits_stored(const Case& c) const;
  void plan_pass(Pass pass);
  void search(Pass pass);
  [[nodiscard]] Index fresh_of(Pass pass) const;
  [[nodiscard]] std::pair<Pass, std::uint64_t> fresh_at(Index n) const;
  [[nodiscard]] Case fresh_case(Pass pass, std::uint64_t index) const;

  const CampaignPlan& plan_;
  CaseFits fits_;
  std::map<Pass, std::vector<Wish>> wishes_;  // for the first fresh cases
  // Likewise, where laws take turns; then these come again.
  std::map<Pass, std::vector<PlannedTurn>> turns_;
  // Where a number of cases was asked for, and a filter: the indices of those that it lets through.
  std::map<Pass, std::vector<std::uint64_t>> found_;
  std::vector<NamedGolden> goldens_;
  std::vector<NumberedCase> stored_;
};

}  // namespace attest
