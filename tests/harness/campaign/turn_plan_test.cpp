// Goal: in the smoke tier, whatever the seed, every law that reruns meets every main subject on
// each unit in each format, every variant, and the families; and rows of three tiles come to every
// unit alike. Who meets what is known before anything runs, so nothing does.
#include "harness/campaign/turn_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "harness/campaign/case_list.hpp"
#include "harness/campaign/turns.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"
#include "properties/laws/scope.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kSeeds[] = {1, 2, 3, 77, 20260101};

CampaignPlan smoke_plan(std::uint64_t seed, Pass pass) {
  CampaignPlan plan;
  plan.tier = tier_named("smoke");
  plan.variant_turns = plan.tier.variant_turns;
  plan.rerun_turns = plan.tier.rerun_turns;
  plan.passes = {pass};
  plan.seed = seed;
  plan.subjects = resolve_subjects({});
  plan.units = emulated_units();
  return plan;
}

using OnUnit = std::tuple<std::string, Unit, Format>;  // who, where

// What a smoke tier brings together, by law where a law is asked.
struct Met {
  std::map<const Law*, std::set<OnUnit>> mains;
  std::map<const Law*, std::set<std::pair<std::string, Format>>> variants;
  // Of these, what there was a case for.
  std::map<const Law*, std::set<std::pair<std::string, Format>>> possible;
  std::map<const Law*, std::set<std::string>> families;
  std::map<const Law*, Index> asked, in_scope;
  std::map<OnUnit, Index> cases;  // the formats are not told apart
  std::set<std::tuple<std::string, Format, std::uint64_t>> units_of_families;
};

bool is_variant(const Subject& subject) { return subject.name().starts_with(kVariantPrefix); }

void note(Met& met, const NumberedCase& one, const SubjectResult& taker) {
  const Problem& p = one.c.problem;
  const std::string name = taker.subject->name();
  ++met.cases[{name, taker.unit, Format::f16}];
  if (family_named(std::get<FamilyData>(one.c.data).family).live_nan) return;
  for (const Law& law : laws()) {
    if (law.reruns && law.may_speak_of(p)) met.possible[&law].insert({name, p.in});
  }
  for (const Law* law : *one.rerun) {
    if (is_variant(*taker.subject)) {
      met.variants[law].insert({name, p.in});
    } else {
      met.mains[law].insert({name, taker.unit, p.in});
    }
  }
}

Met met_in(const CampaignPlan& plan) {
  Met met;
  const CaseList cases(plan, {});
  for (Index n = 0; n < cases.size(); ++n) {
    const NumberedCase one = cases.at(n);
    const Problem& p = one.c.problem;
    const std::string& family = std::get<FamilyData>(one.c.data).family;
    met.units_of_families.insert({family, p.in, one.turn});
    for (const Law& law : laws()) {
      if (law.reruns && law.may_speak_of(p)) ++met.in_scope[&law];
    }
    for (const Law* law : one.rerun.value()) {
      EXPECT_TRUE(law->reruns && law->may_speak_of(p)) << law->name << " of " << one.text;
      met.families[law].insert(family);
      ++met.asked[law];
    }
    const auto takers = cases.takers(one, plan.subjects);
    for (const SubjectResult& taker : choose_units(p, takers, RunChoice{plan.units, one.turn})) {
      if (!taker.unsupported) note(met, one, taker);
    }
  }
  return met;
}

// Each that takes cases of the pass: with its units, where `variants` says what kind.
template <class Act>
void for_each_taker(const Met& met, bool variants, Act act) {
  for (const auto& [where, count] : met.cases) {
    const auto& [name, unit, format] = where;
    if (name.starts_with(kVariantPrefix) == variants) act(name, unit);
  }
}

void expect_laws_met(const Met& met, Pass pass) {
  for (const Law& law : laws()) {
    if (!law.reruns || !law.speaks_of(pass)) continue;
    SCOPED_TRACE(law.name);
    for (const Format format : {Format::f16, Format::bf16}) {
      for_each_taker(met, false, [&](const std::string& name, Unit unit) {
        EXPECT_TRUE(met.mains.at(&law).contains({name, unit, format}))
            << name << " " << name_of(unit) << " " << shape_of(format).name;
      });
      for_each_taker(met, true, [&](const std::string& name, Unit) {
        EXPECT_EQ(met.variants.at(&law).contains({name, format}),
                  met.possible.at(&law).contains({name, format}))
            << name << " " << shape_of(format).name;
      });
    }
    for_each_taker(met, true, [&](const std::string& name, Unit) {
      EXPECT_TRUE(met.variants.at(&law).contains({name, Format::f16}) ||
                  met.variants.at(&law).contains({name, Format::bf16}))
          << name;
    });
    // A law of few problems has fewer turns than there are families.
    if (10 * met.in_scope.at(&law) < 7 * tier_named("smoke").cases_of(pass)) continue;
    EXPECT_EQ(met.families.at(&law).size(), families_of(pass).size());
  }
}

TEST(TurnPlan, BringsEveryLawToEverySubjectWhateverTheSeed) {
  for (const std::uint64_t seed : kSeeds) {
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (pass == Pass::fwd ? " fwd" : " bwd"));
      const CampaignPlan plan = smoke_plan(seed, pass);
      const Met met = met_in(plan);
      expect_laws_met(met, pass);
      const Index blocks = plan.tier.cases_of(pass) / static_cast<Index>(families_of(pass).size());
      for (const auto& [law, asked] : met.asked) {
        EXPECT_LE(asked, met.in_scope.at(law) / plan.rerun_turns + blocks) << law->name;
      }
    }
  }
}

TEST(TurnPlan, BringsUnitsToFamiliesAndVariantsWhateverTheSeed) {
  for (const std::uint64_t seed : kSeeds) {
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (pass == Pass::fwd ? " fwd" : " bwd"));
      const CampaignPlan plan = smoke_plan(seed, pass);
      const Met met = met_in(plan);
      EXPECT_EQ(met.units_of_families.size(), 10 * families_of(pass).size());
      for_each_taker(met, true, [&](const std::string& name, Unit unit) {
        const OnUnit where{name, unit, Format::f16};
        EXPECT_GE(met.cases.at(where), pass == Pass::fwd ? 13 : 6) << name;
      });
    }
  }
}

// How many there are is the draw's affair: those of the seed that everybody runs first suffice.
TEST(TurnPlan, SharesRowsOfThreeTilesAmongTheUnitsOfAVariantsRounds) {
  for (const std::uint64_t seed : kSeeds) {
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      const CampaignPlan plan = smoke_plan(seed, pass);
      const CaseList cases(plan, {});
      const auto units = static_cast<std::uint64_t>(plan.units.size());
      std::map<std::uint64_t, std::vector<Index>> long_rows;  // by turn of variants, of each unit
      for (Index n = 0; n < cases.size(); ++n) {
        const NumberedCase one = cases.at(n);
        auto& on_units = long_rows[round_of(one.schedule_seed, pass) % 6];
        on_units.resize(units);
        if (most_tiles_of_a_row(one.c.problem, 64) >= 3) ++on_units[one.turn];
      }
      for (const auto& [turn, on_units] : long_rows) {
        const auto [least, most] = std::ranges::minmax(on_units);
        EXPECT_LE(most - least, 1) << "seed " << seed << ", turn " << turn;
        if (seed == 1 && pass == Pass::fwd) {
          EXPECT_GE(least, 1) << turn;
        }
      }
    }
  }
}

}  // namespace
}  // namespace attest
