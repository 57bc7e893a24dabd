// Goal: a kernel that breaks the machine's rules ends a run with its own status, and both reports
// name the rule and the line.
#include <gtest/gtest.h>

#include "harness/report/json_report.hpp"
#include "harness/report/run_table.hpp"
#include "harness/subjects/catalogue.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::machine_fault_test {
namespace {

// As the emulator reports it.
StandInParts missing_barrier() {
  return {.name = "machine-fault/missing-barrier",
          .units = emulated_units(),
          .outcome = {RunOutcome::Kind::broke_rules,
                      "race on shared memory, kernels/attention/x.hpp:42"}};
}

TEST(MachineFault, EndsWithStatusThreeAndNamesTheRuleAndTheLine) {
  const OwnFolder folder;
  const StandIn fault(missing_barrier());
  CampaignPlan plan = small_plan(4, {&fault});
  plan.state_folder = folder.path();
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(exit_status(campaign), 3);
  ASSERT_EQ(campaign.failures.size(), 1U);
  const std::string complaint = "broke rules: race on shared memory, kernels/attention/x.hpp:42";
  const std::string report = campaign_report(campaign, {});
  EXPECT_NE(report.find("REJECT  machine-fault/missing-barrier "), std::string::npos) << report;
  EXPECT_NE(report.find("  run        " + complaint), std::string::npos) << report;
  EXPECT_NE(report.find("4 ended badly"), std::string::npos) << report;
  const std::string json = json_report({}, campaign);
  EXPECT_NE(json.find("\"ending\": \"broke rules\""), std::string::npos) << json;
  EXPECT_NE(json.find("race on shared memory, kernels/attention/x.hpp:42"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "counterexamples.txt"));  // wrong on purpose
}

// The bundled ones, each with its rule, at a line of the kernel that has the fault.
TEST(MachineFault, OfEachBundledKernelIsFoundAtItsLine) {
  const std::pair<const char*, const char*> rules[] = {
      {"machine-fault/missing-barrier", "race"},
      {"machine-fault/read-past-tail", "out of bounds"},
      {"machine-fault/unwritten-tail", "uninitialised shared memory"},
      {"machine-fault/divergent-collective", "divergence"}};
  for (const auto& [name, rule] : rules) {
    const std::vector<std::string> specs = {name};
    CampaignPlan plan = small_plan(24, resolve_subjects(specs));
    plan.units = emulated_units();
    const Campaign campaign = run_campaign(plan);
    EXPECT_EQ(exit_status(campaign), 3) << name;
    const std::string finding =
        "broke rules: " + std::string(rule) + " at kernels/attention/tiled_forward.hpp:";
    const std::string report = campaign_report(campaign, {});
    EXPECT_NE(report.find(finding), std::string::npos) << name << '\n' << report;
  }
}

}  // namespace
}  // namespace attest::machine_fault_test
