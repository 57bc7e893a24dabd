#include "harness/report/shortcomings.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

std::string unreached(const Campaign& campaign) {
  std::string text;
  for (const std::string& name : campaign.empty) text += name + " reached by no case\n";
  return text;
}

std::string unbounded(const Campaign& campaign) {
  std::string text;
  for (const auto& [family, subject] : campaign.too_unbounded) {
    text += fmt::format("family {}, subject {}: more than 1 % of the elements have no budget\n",
                        family, subject);
  }
  return text;
}

// A time budget that ran out is no shortcoming: who gave it wanted that.
std::string cut_short(const Campaign& campaign) {
  if (!campaign.interrupted) return "";
  return fmt::format("interrupted after {} of {} cases\n", campaign.tally.cases(),
                     campaign.planned);
}

std::string unjudged(const Campaign& campaign) {
  if (campaign.tally.judged() > 0 || campaign.troubled_cases > 0) return "";
  const Index cases = campaign.tally.cases();
  if (cases == 0) return "nothing was selected\n";
  if (campaign.tally.subjects.empty()) return fmt::format("all of {} cases were declined\n", cases);
  return fmt::format("no law applies to {} cases\n", cases);
}

}  // namespace

std::vector<Shortcoming> shortcomings(const Campaign& campaign) {
  return {{"judges something", unjudged(campaign)},
          {"reaches every class", unreached(campaign)},
          {"has budgets", unbounded(campaign)},
          {"records its failures", campaign.unrecorded},
          {"comes to its end", cut_short(campaign)}};
}

std::string row_name(const SubjectKey& row) {
  return fmt::format("{} {} {} {}", row.subject, shape_of(row.format).name, name_of(row.unit),
                     row.pass == Pass::fwd ? "fwd" : "bwd");
}

SubjectKey row_of(const Failure& failure) {
  const Problem& problem = failure.original.problem;
  return {failure.subject->name(), problem.in, failure.unit, problem.pass};
}

}  // namespace attest
