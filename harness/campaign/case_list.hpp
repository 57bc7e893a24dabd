// case_list.hpp - the cases of a campaign by number: goldens, then counterexamples, then fresh
// ones, one pass after the other.
//
// Case n is a function of the plan and the stored files alone, so that a campaign can go on where
// an earlier one was cut off.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/fitted_case.hpp"
#include "harness/campaign/goldens.hpp"
#include "properties/covering/wish.hpp"

namespace attest {

enum class Origin : std::uint8_t { golden, counterexample, fresh };

[[nodiscard]] std::string_view name_of(Origin origin);

struct NumberedCase {
  Origin origin = Origin::fresh;
  Case c;
  std::string text;  // its string; of a stored case the one that its file holds
  const NamedGolden* golden = nullptr;
  std::uint64_t turn = 0;
  std::uint64_t rerun_turn = 0;
  std::uint64_t schedule_seed = 0;
  std::optional<Unit> unit = std::nullopt;  // that a counterexample failed on
};

class CaseList {
 public:
  // Reads the stored cases. `own_list` is the user's list of counterexamples, or empty; the values
  // of large ones lie in the plan's state folder. The plan has to outlive the list. Throws Error.
  CaseList(const CampaignPlan& plan, const std::filesystem::path& own_list);
  CaseList(const CaseList&) = delete;
  CaseList& operator=(const CaseList&) = delete;

  [[nodiscard]] Index size() const;
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
  [[nodiscard]] bool admits_stored(const Case& c) const;

  const CampaignPlan& plan_;
  CaseFits fits_;
  std::map<Pass, std::vector<Wish>> wishes_;  // for the first fresh cases
  std::vector<NamedGolden> goldens_;
  std::vector<NumberedCase> stored_;
};

}  // namespace attest
