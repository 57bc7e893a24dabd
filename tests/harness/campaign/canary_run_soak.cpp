// Goal: each canary falls to its own law under more seeds than the fast tests have time for.
#include <gtest/gtest.h>

#include "harness/campaign/canary_run.hpp"
#include "harness/report/canary_table.hpp"
#include "harness/subjects/catalogue.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::canary_run_soak {
namespace {

TEST(CanarySoak, AllAreCaughtByTheirOwnLawsOnSmallCasesWhateverTheSeed) {
  const OwnFolder folder;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CanaryPlan plan;
    for (const CatalogueEntry& entry : catalogue()) {
      if (entry.is_canary()) plan.canaries.push_back(&entry);
    }
    plan.cases = tier_named("smoke").cases;
    plan.seed = seed;
    plan.state_folder = folder.path();
    const CanaryRun run = run_canaries(plan);
    EXPECT_TRUE(run.passed()) << "seed " << seed << "\n" << canary_report(run, {});
    EXPECT_EQ(run.control_refused, 0) << "seed " << seed;
    for (const CanaryVerdict& verdict : run.canaries) {
      EXPECT_LE(verdict.failure.shrunk.smallest.problem.n_k, verdict.canary->most_keys)
          << verdict.canary->name << " seed " << seed;
    }
    EXPECT_LE(run.median_keys(), 32) << "seed " << seed;
  }
}

}  // namespace
}  // namespace attest::canary_run_soak
