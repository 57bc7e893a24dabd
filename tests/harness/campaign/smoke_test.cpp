// Goal: the run that everybody makes first judges enough of everything, and accepts every healthy
// subject.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "harness/campaign/campaign.hpp"
#include "harness/report/run_table.hpp"
#include "harness/subjects/catalogue.hpp"
#include "judge/replay_rules.hpp"

namespace attest {
namespace {

struct Least {
  Pass pass;
  Index cases;        // fresh ones, in each format
  Index three_tiles;  // of those, with three or more tiles of 16 keys
  Index of_family;    // in each format
  // Of each subject on each of its units, both formats together.
  Index on_unit;
  Index three_tiles_on_unit;  // where a row sees three or more of its own tiles
  // The same of a variant, which takes a part of the cases, in turn.
  Index variant_on_unit;
  Index variant_three_tiles_on_unit;
};
constexpr Least kForward{Pass::fwd, 180, 60, 12, 30, 10, 15, 1};
constexpr Least kBackward{Pass::bwd, 68, 20, 4, 20, 3, 4, 0};

void expect_enough_fresh_cases(const Tally& tally, const Least& least) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const auto slot = static_cast<std::size_t>(format);
    EXPECT_GE(tally.fresh[slot], least.cases);
    EXPECT_GE(tally.fresh_three_tiles[slot], least.three_tiles);
    for (const FamilyTally& family : tally.families) {
      if (family.backward_only && least.pass == Pass::fwd) continue;
      EXPECT_GE(family.cases[slot], least.of_family) << family.name;
    }
  }
  for (const auto& [shape, count] : tally.shape_classes) EXPECT_GT(count, 0) << shape;
}

// The subject's rows added up, in all, by unit or by format.
SubjectTally added_up(const Tally& tally, const Subject& subject, std::optional<Unit> unit,
                      std::optional<Format> format = std::nullopt) {
  SubjectTally sum;
  for (const auto& [key, row] : tally.subjects) {
    if (key.subject != subject.name() || (unit && key.unit != *unit)) continue;
    if (format && key.format != *format) continue;
    sum.cases += row.cases;
    sum.three_tiles += row.three_tiles;
    for (const auto& [law, counts] : row.laws) {
      sum.laws[law].accepted += counts.accepted;
      sum.laws[law].rejected += counts.rejected;
      sum.laws[law].undecided += counts.undecided;
    }
  }
  return sum;
}

// A subject may see all keys of a row at once.
bool has_tiles(const Subject& subject, Unit unit) {
  Problem long_row;
  long_row.n_k = 1000;
  return subject.numerics(long_row, unit).tile_k < long_row.n_k;
}

// Does the subject compute cases of this pass on the unit at all?
bool takes(const Subject& subject, Pass pass, Unit unit) {
  Problem problem;
  problem.pass = pass;
  return !subject.unsupported(problem, unit);
}

// What a scalar kernel writes nobody counts; what stores scores has no cap.
bool caps_writes(const Subject& subject) {
  const bool scalar = subject.name().find("plain") != std::string::npos;
  return !scalar && subject.numerics({}, Unit::fp32_seq).s_store == ScoreStore::none;
}

// Keys in parts have no replay.
bool declares_schedule(const Subject& subject) {
  return obstacle_to_replay(subject.numerics({}, Unit::fp32_seq)).empty();
}

// One that chooses among kernels has those of the kernel that it chooses.
bool offers_configurations(const Subject& subject, Pass pass) {
  Problem large;
  large.pass = pass;
  large.n_q = 100;
  large.n_k = 1000;
  return !subject.configurations(large, Unit::fp32_seq).empty();
}

void expect_healthy(const Tally& tally, const Subject& subject, const Least& least) {
  SCOPED_TRACE(subject.name());
  const SubjectTally all = added_up(tally, subject, {});
  // A backward variant's one round brings a law to a dozen cases in each format (Tier's tests):
  // some laws apply to none of them in one format.
  const bool few = least.pass == Pass::bwd && subject.name().starts_with(kVariantPrefix);
  for (const Format format : {Format::f16, Format::bf16}) {
    if (few) break;
    const SubjectTally in_format = added_up(tally, subject, {}, format);
    for (const auto& [law, counts] : all.laws) {
      EXPECT_TRUE(in_format.laws.contains(law)) << law << " in " << shape_of(format).name;
    }
  }
  for (const std::string& law : tally.laws_of(least.pass)) {
    if (law == "write_traffic" && !caps_writes(subject)) continue;
    if (law == "replay" && !declares_schedule(subject)) continue;
    if (law == "configurations" && !offers_configurations(subject, least.pass)) continue;
    ASSERT_TRUE(all.laws.contains(law)) << "was never asked for " << law;
    EXPECT_GT(all.laws.at(law).accepted, 0) << law;
    EXPECT_EQ(all.laws.at(law).rejected, 0) << law;
    EXPECT_EQ(all.laws.at(law).undecided, 0) << law;
  }
  for (const Unit unit : emulated_units()) {
    if (!takes(subject, least.pass, unit)) continue;
    const SubjectTally on_unit = added_up(tally, subject, unit);
    const bool variant = subject.name().starts_with(kVariantPrefix);
    EXPECT_GE(on_unit.cases, variant ? least.variant_on_unit : least.on_unit) << name_of(unit);
    if (has_tiles(subject, unit)) {
      EXPECT_GE(on_unit.three_tiles,
                variant ? least.variant_three_tiles_on_unit : least.three_tiles_on_unit)
          << name_of(unit);
    }
  }
}

void expect_smoke(const Least& least) {
  CampaignPlan plan;
  plan.tier = tier_named("smoke");
  plan.variant_turns = plan.tier.variant_turns;
  plan.rerun_turns = plan.tier.rerun_turns;
  plan.passes = {least.pass};
  for (const Subject* subject : resolve_subjects({})) {
    const bool any = std::ranges::any_of(
        emulated_units(), [&](Unit unit) { return takes(*subject, least.pass, unit); });
    if (any) plan.subjects.push_back(subject);
  }
  plan.units = emulated_units();
  const Campaign campaign = run_campaign(plan);
  const Tally& tally = campaign.tally;
  SCOPED_TRACE(campaign_report(campaign, {}));

  expect_enough_fresh_cases(tally, least);
  EXPECT_TRUE(campaign.empty.empty());
  for (const Subject* subject : plan.subjects) expect_healthy(tally, *subject, least);
  for (const auto& [name, declined] : tally.unsupported) {
    EXPECT_EQ(name, "decode") << declined;  // it takes up to 16 queries
  }
  EXPECT_TRUE(campaign.too_unbounded.empty());
  EXPECT_EQ(exit_status(campaign), 0);
}

TEST(SmokeTier, JudgesEnoughOfEverythingAndAcceptsTheHealthy) { expect_smoke(kForward); }
TEST(SmokeTier, DoesSoForTheBackwardPass) { expect_smoke(kBackward); }

}  // namespace
}  // namespace attest
