#include "harness/campaign/gaps.hpp"

#include <algorithm>
#include <set>

namespace attest {
namespace {

// F11 drives scores to where some declarations have no finite budget left.
constexpr std::string_view kUnboundedFamily = "F11";
constexpr double kMostUnbounded = 0.01;

// A whole run must reach everything; a filtered, shortened or unfinished one may not. Subjects that
// take few problems have shapes of few classes.
void note_empty_classes(const CampaignPlan& plan, Campaign& campaign) {
  const Tally& tally = campaign.tally;
  if (!plan.filter.empty() || campaign.unfinished || plan.shortened()) return;
  for (const FamilyTally& family : tally.families) {
    const bool drawn = std::ranges::any_of(
        plan.passes, [&](Pass pass) { return pass == Pass::bwd || !family.backward_only; });
    if (!drawn) continue;
    if (std::ranges::all_of(family.cases, [](Index n) { return n == 0; })) {
      campaign.empty.push_back("family " + family.name);
    }
  }
  for (const auto& [name, count] : tally.shape_classes) {
    if (count == 0 && !campaign.fitted) campaign.empty.push_back("shape class " + name);
  }
}

// Who asks for the default asks for no unit in particular.
void note_idle_units(const CampaignPlan& plan, Campaign& campaign) {
  if (plan.units == emulated_units()) return;
  for (const Unit unit : plan.units) {
    const auto on_unit = [&](const auto& row) { return row.first.unit == unit; };
    if (std::ranges::none_of(campaign.tally.subjects, on_unit)) campaign.idle_units.push_back(unit);
  }
}

// A subject by itself: pooled, one that can hardly be judged would hide behind the others.
void note_unbounded(Campaign& campaign) {
  for (const FamilyTally& family : campaign.tally.families) {
    if (family.name == kUnboundedFamily) continue;
    std::set<std::string> named;
    for (const auto* by_subject : {&family.elements, &family.gradients}) {
      for (const auto& [subject, elements] : *by_subject) {
        if (!family.has_to_be_bounded(elements)) continue;
        if (elements.unbounded_share() <= kMostUnbounded || !named.insert(subject).second) continue;
        campaign.too_unbounded.push_back({family.name, subject});
      }
    }
  }
}

}  // namespace

void note_gaps(const CampaignPlan& plan, Campaign& campaign) {
  note_unbounded(campaign);
  note_empty_classes(plan, campaign);
  note_idle_units(plan, campaign);
}

}  // namespace attest
