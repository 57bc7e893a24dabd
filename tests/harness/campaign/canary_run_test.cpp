// Goal: the harness is tested by kernels that are wrong on purpose: each is caught by the law named
// for it on a small case that the control passes, whatever the seed; and a kernel that does not
// deserve to be caught is reported as missed.
#include "harness/campaign/canary_run.hpp"

#include <gtest/gtest.h>

#include "harness/report/canary_table.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::canary_run_test {
namespace {

class Canaries : public testing::Test {
 protected:
  CanaryRun hunt(std::vector<const CatalogueEntry*> canaries, std::uint64_t seed = 1,
                 Index cases = tier_named("smoke").cases) {
    CanaryPlan plan;
    plan.canaries = std::move(canaries);
    plan.cases = cases;
    plan.seed = seed;
    plan.state_folder = folder_.path();
    return run_canaries(plan);
  }

  // The report in lines, of which one holds all of these words.
  static bool says(const CanaryRun& run, std::initializer_list<const char*> words) {
    std::istringstream report(canary_report(run, {}));
    for (std::string line; std::getline(report, line);) {
      const auto in_line = [&](const char* word) { return line.find(word) != std::string::npos; };
      if (std::ranges::all_of(words, in_line)) return true;
    }
    return false;
  }

  OwnFolder folder_;
};

std::vector<const CatalogueEntry*> every_canary() {
  std::vector<const CatalogueEntry*> canaries;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.is_canary()) canaries.push_back(&entry);
  }
  return canaries;
}

// An entry as the catalogue would hold it.
CatalogueEntry posing(std::string name, std::unique_ptr<Subject> kernel, std::string_view law,
                      Index most_keys = 64, Pass pass = Pass::fwd) {
  auto subject = std::make_unique<StandIn>(StandInParts{.name = name}, std::move(kernel));
  return {name, "posing", std::move(subject), law, most_keys, pass};
}

// Seed 1 is what CanariesCommand.CatchesEveryCanary hunts with; more are in the soak.
TEST_F(Canaries, AreAllCaughtByTheirOwnLawsOnSmallCasesWhateverTheSeed) {
  for (const std::uint64_t seed : {2U, 77U}) {
    const CanaryRun run = hunt(every_canary(), seed);
    EXPECT_TRUE(run.passed()) << canary_report(run, {});
    EXPECT_EQ(run.canaries.size(), every_canary().size());
    EXPECT_EQ(run.control_refused, 0);
    for (const CanaryVerdict& verdict : run.canaries) {
      const std::string& name = verdict.canary->name;
      EXPECT_TRUE(verdict.caught()) << name << " seed " << seed;
      EXPECT_TRUE(verdict.by.contains(std::string(verdict.canary->law))) << name;
      EXPECT_EQ(verdict.failure.law, verdict.canary->law) << name;
      EXPECT_EQ(verdict.failure.outcome.verdict, Verdict::reject) << name;
      EXPECT_LE(verdict.failure.shrunk.smallest.problem.n_k, verdict.canary->most_keys) << name;
      EXPECT_LE(verdict.canary->most_keys, 128) << name;
      EXPECT_EQ(parse_case(verdict.failure.smallest_text), verdict.failure.shrunk.smallest);
    }
    // What a person has to look at is small: half of the shrunk cases have no more keys than this.
    EXPECT_LE(run.median_keys(), 32);
    EXPECT_GE(run.median_keys(), 1);
  }
}

TEST_F(Canaries, HaveTheMedianOfTheirShrunkKeys) {
  const CatalogueEntry healthy = posing("canary/posing", make_plain("plain"), "accuracy");
  CanaryRun run;
  EXPECT_EQ(run.median_keys(), 0);
  for (const Index keys : {17, 1, 33, 2}) {
    CanaryVerdict& verdict = run.canaries.emplace_back();
    verdict.canary = &healthy;
    verdict.rejected = true;
    verdict.failure.shrunk.smallest.problem.n_k = keys;
  }
  run.canaries.emplace_back();  // never rejected, so not counted
  EXPECT_EQ(run.median_keys(), 17);
}

TEST_F(Canaries, EndTheRunOnceAllAreCaught) {
  const CanaryRun run = hunt({every_canary().front()});
  EXPECT_TRUE(run.passed());
  EXPECT_LT(run.cases, 60);
}

TEST_F(Canaries, ThatAreHealthyAreReportedMissed) {
  const CatalogueEntry healthy = posing("canary/posing", make_plain("plain"), "accuracy");
  const CanaryRun run = hunt({&healthy}, 1, 26);
  EXPECT_FALSE(run.passed());
  EXPECT_EQ(run.cases, 26);
  EXPECT_EQ(run.canaries[0].cases, 26);
  EXPECT_FALSE(run.canaries[0].rejected);
  EXPECT_TRUE(run.canaries[0].by.empty());
  EXPECT_TRUE(says(run, {"canary/posing", "MISSED: its law never rejected it"}));
  EXPECT_TRUE(says(run, {"NOT CAUGHT", "1 canaries, 26 cases"}));
}

TEST_F(Canaries, AreHuntedOnCasesOfTheirPassBesideTheirOwnControl) {
  const CatalogueEntry forward = posing("canary/forward", make_plain("plain"), "accuracy");
  const CatalogueEntry backward =
      posing("canary/backward", make_plain("plain"), "group_sum", 64, Pass::bwd);
  CatalogueEntry variant =
      posing("canary/variant", make_plain("plain"), "stage_accuracy", 64, Pass::bwd);
  variant.control = "plain";
  const CanaryRun run = hunt({&forward, &backward, &variant}, 1, 4);
  EXPECT_EQ(run.cases, 4 + 4);
  EXPECT_EQ(run.control_runs, 4 + 2 * 4);  // two controls on the backward cases
  EXPECT_EQ(run.control_refused, 0);
  for (const CanaryVerdict& verdict : run.canaries) EXPECT_EQ(verdict.cases, 4);
  const CanaryRun one = hunt({&backward}, 1, 4);
  EXPECT_EQ(one.cases, 4);
}

TEST_F(Canaries, OfTheBackwardAreCaughtOnItsCases) {
  const auto halve = [](const Problem& p, const BackwardOutputs& out) {
    for (Index j = 0; j < p.n_k; ++j) {
      out.dv.set_bits(0, 0, j, 0, round_to_bits(p.out, out.dv.value(0, 0, j, 0) / 2));
    }
  };
  CatalogueEntry halved =
      posing("canary/halved", make_plain("plain"), "stage_accuracy", 64, Pass::bwd);
  halved.subject =
      std::make_unique<StandIn>(StandInParts{.name = "canary/halved", .spoil_gradients = halve});
  const CanaryRun run = hunt({&halved}, 1, 26);
  EXPECT_TRUE(run.passed()) << canary_report(run, {});
  EXPECT_TRUE(run.canaries[0].by.contains("gradient_accuracy"));
  const Problem& smallest = run.canaries[0].failure.shrunk.smallest.problem;
  EXPECT_EQ(smallest.pass, Pass::bwd);
  EXPECT_EQ(smallest.n_k, 1);
  EXPECT_EQ(smallest.n_q, 1);
}

TEST_F(Canaries, ThatOnlyOtherLawsRejectAreReportedMissed) {
  const CatalogueEntry wrong_law =
      posing("canary/posing", kernel_of_canary("canary/m05-poisoned-v-tail"), "constant_v");
  const CanaryRun run = hunt({&wrong_law}, 1, 26);
  EXPECT_FALSE(run.passed());
  EXPECT_FALSE(run.canaries[0].rejected);
  EXPECT_TRUE(run.canaries[0].by.contains("containment"));
  EXPECT_TRUE(says(run, {"canary/posing", "MISSED", "constant_v +containment"}));
}

TEST_F(Canaries, ThatStayLargeAreReportedMissed) {
  // The fault needs a second tile of keys; the limit allows fewer.
  const CatalogueEntry large =
      posing("canary/posing", kernel_of_canary("canary/tile-softmax"), "accuracy", 16);
  const CanaryRun run = hunt({&large}, 1, 60);
  EXPECT_FALSE(run.passed());
  EXPECT_TRUE(run.canaries[0].rejected);
  EXPECT_FALSE(run.canaries[0].small);
  EXPECT_TRUE(says(run, {"canary/posing", "MISSED: the shrunk case has too many keys"}));
  EXPECT_LT(run.cases, 60);  // it gives up after some attempts
}

TEST_F(Canaries, AreNotCaughtWhereTheControlFailsToo) {
  CanaryVerdict verdict;
  verdict.rejected = verdict.small = true;
  EXPECT_FALSE(verdict.caught());
  verdict.control_accepted = true;
  EXPECT_TRUE(verdict.caught());

  CanaryRun run;
  run.canaries = {verdict};
  EXPECT_TRUE(run.passed());
  run.control_refused = 1;
  EXPECT_FALSE(run.passed());
}

}  // namespace
}  // namespace attest::canary_run_test
