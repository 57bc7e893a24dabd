#include "harness/campaign/conditions.hpp"

#include <algorithm>

#include "fixtures/sha256.hpp"
#include "harness/campaign/campaign.hpp"

namespace attest {
namespace {

constexpr std::string_view kManifest = "MANIFEST";

// What runs: another build of it may judge otherwise.
constexpr std::string_view kProgram = "/proc/self/exe";

template <class Items, class Text>
std::string listed(const Items& items, const Text& text) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : " ") + std::string(text(item));
  return list;
}

// A missing file is a condition like another: an earlier campaign may have had it.
std::string digest_of_file(const std::filesystem::path& file) {
  std::error_code unknown;
  if (file.empty() || !std::filesystem::exists(file, unknown)) return "none";
  return sha256_of_file(file);
}

// Does not change while it runs.
const std::string& program_digest() {
  static const std::string digest = digest_of_file(kProgram);
  return digest;
}

std::string fresh_cases(const CampaignPlan& plan) {
  return listed(plan.passes, [&](Pass pass) {
    return (pass == Pass::fwd ? "fwd:" : "bwd:") + std::to_string(plan.fresh_cases(pass)) +
           (plan.open_ended() ? " or more" : "");
  });
}

}  // namespace

Conditions conditions_of(const CampaignPlan& plan) {
  const auto name_of_subject = [](const Subject* subject) { return subject->name(); };
  const auto name_of_unit = [](Unit unit) { return name_of(unit); };
  Conditions all = {
      {"tier", std::string(plan.tier.name)},
      {"fresh cases", fresh_cases(plan)},
      {"seed", std::to_string(plan.seed)},
      {"subjects", listed(plan.subjects, name_of_subject)},
      {"units", listed(plan.units, name_of_unit)},
      {"filter", plan.filter.text()},
      {"turns", std::to_string(plan.variant_turns) + " " + std::to_string(plan.rerun_turns)},
      {"shrink time", std::to_string(plan.shrink_time.count()) + "s"},
      {"program", program_digest()},
      {"goldens",
       plan.golden_folder.empty() ? "none" : digest_of_file(plan.golden_folder / kManifest)},
      {"known counterexamples", digest_of_file(plan.known_list)}};
  all.insert(all.end(), plan.conditions.begin(), plan.conditions.end());
  return all;
}

std::string difference_between(const Conditions& then, const Conditions& now) {
  const auto value_in = [](const Conditions& conditions, const std::string& name) {
    const auto found = std::ranges::find(conditions, name, &Condition::name);
    return found == conditions.end() ? std::string("nothing") : found->value;
  };
  for (const Conditions* each : {&now, &then}) {
    for (const Condition& one : *each) {
      const std::string was = value_in(then, one.name);
      const std::string is = value_in(now, one.name);
      if (was != is) return one.name + " was '" + was + "' and is '" + is + "'";
    }
  }
  return {};
}

}  // namespace attest
