// Goal: a campaign reports the same, to the letter, whether answers are computed, kept, found,
// damaged or lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/report/json_report.hpp"
#include "harness/report/run_table.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::kept_campaign_test {
namespace {

namespace fs = std::filesystem;

// One that is healthy and one that is not, so that failures are shrunk and explained, too.
class KeptCampaign : public testing::Test {
 protected:
  [[nodiscard]] std::string report(const OracleMemory& oracle) const {
    CampaignPlan plan = small_plan(8, {&plain(), &wrong_});
    plan.passes = {Pass::fwd, Pass::bwd};
    plan.filter = Filter("law=accuracy,gradient_accuracy");  // few failures to shrink
    plan.shrink_time = std::chrono::minutes(10);  // never reached: it would change the report
    plan.oracle = oracle;
    const Campaign campaign = run_campaign(plan);
    EXPECT_GT(campaign.rejected_cases, 0);
    EXPECT_GT(campaign.failures.size(), 0U);
    return campaign_report(campaign, Palette{}) + json_report({}, campaign);
  }
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }

  OwnFolder folder_;
  ContentStore store_{folder_.path()};
  OracleMemory memory_{store_, {0, 0}};  // keeps all
  StandIn wrong_{{.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal")};
};

TEST_F(KeptCampaign, IsTheSameWhereAnswersAreFound) {
  const std::string computed = report({});
  EXPECT_EQ(report(memory_), computed);
  const std::vector<fs::path> kept = files();
  EXPECT_GT(kept.size(), 16U);
  EXPECT_EQ(report(memory_), computed);
  EXPECT_EQ(files(), kept);  // all were found
}

TEST_F(KeptCampaign, IsTheSameWhereAnswersAreDamagedOrLost) {
  const std::string computed = report(memory_);
  std::size_t n = 0;
  for (const fs::path& file : files()) {
    if (n % 3 == 0) fs::remove(file);
    if (n % 3 == 1) fs::resize_file(file, fs::file_size(file) / 2);
    if (n % 3 == 2) flip_byte(file, fs::file_size(file) / 2);
    ++n;
  }
  EXPECT_EQ(report(memory_), computed);
}

}  // namespace
}  // namespace attest::kept_campaign_test
