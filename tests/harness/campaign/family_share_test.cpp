// Goal: every family has its part in what a tier judges, over both passes: 2 % of the elements at
// least. They are counted from the drawn shapes, and the count is that of a campaign.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case_list.hpp"
#include "harness/subjects/catalogue.hpp"
#include "oracle/mask.hpp"
#include "properties/family.hpp"
#include "tests/harness/campaign/small_plan.hpp"

namespace attest {
namespace {

struct Live {
  Index rows = 0;  // with a live key
  Index keys = 0;  // that a row sees
};

// Of all entries, for one head.
Live live_of(const Problem& p) {
  Live live;
  for (Index b = 0; b < p.batch; ++b) {
    std::vector<char> seen(static_cast<std::size_t>(p.n_k));
    for (Index i = 0; i < p.live_queries(b); ++i) {
      const KeyRange range = live_range(p, b, i);
      live.rows += range.size() > 0;
      std::fill(seen.begin() + range.first, seen.begin() + range.end, 1);
    }
    live.keys += std::ranges::count(seen, 1);
  }
  return live;
}

// Elements of O and LSE, and those of the gradients in both views.
Index elements_of(const Problem& p) {
  const auto [rows, keys] = live_of(p);
  const Index forward = p.heads_q * rows * (p.d_v + 1);
  if (p.pass == Pass::fwd) return forward;
  return forward + 2 * (p.heads_q * rows * p.d_qk + p.heads_k * keys * (p.d_qk + p.d_v));
}

std::map<std::string, Index> elements_by_family(const CampaignPlan& plan) {
  std::map<std::string, Index> elements;
  const CaseList cases(plan, {});
  for (Index n = 0; n < cases.size(); ++n) {
    const NumberedCase one = cases.at(n);
    const Family& family = family_named(std::get<FamilyData>(one.c.data).family);
    const Index each = elements_of(one.c.problem);
    const RunChoice choice{plan.units, one.turn};
    for (const SubjectResult& taker :
         choose_units(one.c.problem, cases.takers(one, plan.subjects), choice)) {
      if (taker.unsupported) continue;
      const bool spreads = taker.subject->semantics().nonfinite != NonFinite::row_local;
      elements[std::string(family.name)] += family.live_nan && spreads ? 0 : each;
    }
  }
  return elements;
}

TEST(FamilyShare, IsTwoPerCentOfTheElementsOrMoreInStandardAndSoak) {
  for (const char* tier : {"standard", "soak"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      CampaignPlan plan;
      plan.tier = tier_named(tier);
      plan.variant_turns = plan.tier.variant_turns;
      plan.rerun_turns = plan.tier.rerun_turns;
      plan.seed = seed;
      plan.passes = {Pass::fwd, Pass::bwd};
      plan.subjects = resolve_subjects({});
      plan.units = emulated_units();
      const auto elements = elements_by_family(plan);
      EXPECT_EQ(elements.size(), families().size());
      Index all = 0;
      for (const auto& [family, count] : elements) all += count;
      EXPECT_GE(all, 10'000'000) << tier;
      for (const auto& [family, count] : elements) {
        EXPECT_GE(50 * count, all) << family << " in " << tier << ", seed " << seed;
      }
    }
  }
}

TEST(FamilyShare, IsCountedAsACampaignCounts) {
  const Subject& tiled = *resolve_subjects(std::vector<std::string>{"tiled"}).front();
  CampaignPlan plan = small_plan(50, {&plain(), &tiled});
  plan.passes = {Pass::fwd, Pass::bwd};
  plan.filter = Filter("law=accuracy,gradient_accuracy,stage_accuracy");
  const auto counted = elements_by_family(plan);
  const Campaign campaign = run_campaign(plan);
  Index both = 0;
  for (const FamilyTally& family : campaign.tally.families) {
    const Index judged = family.judged_in_all();
    both += judged;
    // A NaN leaves some rows, and gradients of some keys, without a number.
    const double slack = family.name == "F23" ? 1 : 0.05;
    const auto found = counted.find(family.name);
    const auto own = static_cast<double>(found == counted.end() ? 0 : found->second);
    EXPECT_NEAR(static_cast<double>(judged), own, slack * own) << family.name;
  }
  EXPECT_GE(both, 100'000);
}

}  // namespace
}  // namespace attest
