// Goal: whoever reads the canaries' table sees which were caught, by what, how small, and whether
// the control stayed healthy.
#include "harness/report/canary_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/subjects/catalogue.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::canary_table_test {
namespace {

const CatalogueEntry& entry(std::string_view name) {
  return *std::ranges::find(catalogue(), name, &CatalogueEntry::name);
}

CanaryRun caught_run() {
  CanaryPlan plan;
  plan.canaries = {&entry("canary/m11-top-left-causal")};
  plan.cases = 60;
  return run_canaries(plan);
}

TEST(CanaryTable, ShowsTheCaughtWithLawCountsAndReport) {
  const std::string report = canary_report(caught_run(), {});
  EXPECT_EQ(first_words(report)[0], "canary");
  const std::string row = line_beginning(report, "canary/m11-top-left-causal");
  EXPECT_TRUE(holds(row, "  caught   accuracy")) << row;
  EXPECT_TRUE(row.ends_with("  64")) << row;  // the limit of keys
  EXPECT_TRUE(holds(report, "REJECT  canary/m11-top-left-causal ")) << report;
  EXPECT_TRUE(holds(line_beginning(report, "  again"), "--subject 'canary/m11-top-left-causal'"));
  EXPECT_TRUE(lines_of(report).back().starts_with("ALL CAUGHT  1 canaries, ")) << report;
}

TEST(CanaryTable, SaysWhyOneWasMissed) {
  CanaryRun run = caught_run();
  run.canaries[0].control_accepted = false;
  EXPECT_TRUE(holds(canary_report(run, {}), "MISSED: the control fails on the shrunk case too"));
  run.canaries[0].small = false;
  EXPECT_TRUE(holds(canary_report(run, {}), "MISSED: the shrunk case has too many keys"));
  run.canaries[0].rejected = false;
  const std::string report = canary_report(run, {});
  EXPECT_TRUE(holds(report, "MISSED: its law never rejected it"));
  EXPECT_FALSE(holds(report, "REJECT  "));
  EXPECT_TRUE(lines_of(report).back().starts_with("NOT CAUGHT")) << report;
}

TEST(CanaryTable, SaysWhatAnInterruptLeftOpen) {
  CanaryRun run = caught_run();
  run.canaries[0].control_accepted = false;
  run.canaries[0].cut_short = true;
  EXPECT_EQ(exit_status(run), 7);
  const std::string report = canary_report(run, {});
  EXPECT_TRUE(holds(report, "not caught before the interrupt")) << report;
  EXPECT_TRUE(lines_of(report).back().starts_with("INTERRUPTED")) << report;
  run.control_refused = 1;
  EXPECT_EQ(exit_status(run), 1);
}

TEST(CanaryTable, ShowsAControlThatWasRefused) {
  CanaryRun run = caught_run();
  run.cases = 10;
  run.control_runs = 20;
  run.control_refused = 3;
  run.control_failure = run.canaries[0].failure;
  const std::string report = canary_report(run, {});
  EXPECT_TRUE(holds(report, "controls: accepted in 17 of 20 runs on 10 cases")) << report;
  EXPECT_TRUE(lines_of(report).back().starts_with("NOT CAUGHT")) << report;
}

}  // namespace
}  // namespace attest::canary_table_test
