// Goal: the page says how many features met and the first that did not, and JSON names all.
#include "harness/report/covering_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/campaign/covering_count.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::covering_report_test {
namespace {

Campaign small_campaign() { return run_campaign(small_plan(4, {&plain()})); }

TEST(CoveringReport, SaysHowManyMetAndTheFirstThatDidNot) {
  const Campaign campaign = small_campaign();
  const std::string text = covering_lines(campaign);
  const auto counts = covering_counts(campaign.tally, 2);
  const std::string line = line_beginning(text, "features that met, fwd:");
  EXPECT_TRUE(holds(line, "% of " + std::to_string(counts[0].cells) + " pairs")) << text;
  EXPECT_TRUE(holds(line, "% of " + std::to_string(counts[1].cells) + " triples")) << text;
  EXPECT_TRUE(holds(line, "% of " + std::to_string(counts[2].cells) + " fours")) << text;
  const std::string never = line_beginning(text, "  never met: ");
  EXPECT_TRUE(holds(never, counts[0].never.front() + "; ")) << text;
  EXPECT_TRUE(holds(never, std::to_string(counts[0].never.size() - 3) + " more")) << text;
  EXPECT_TRUE(holds(text, "  beside what a run adds: unit=fp32-seq ")) << text;
}

TEST(CoveringReport, IsEmptyWithoutFreshCases) { EXPECT_EQ(covering_lines({}), ""); }

TEST(CoveringReport, RoundsNothingUpToAll) {
  Campaign campaign;
  campaign.strength = 2;
  campaign.tally.run_pairs.try_emplace(Pass::fwd, Pass::fwd);
  campaign.tally.features.push_back({Pass::fwd, all_open(), true});
  EXPECT_TRUE(holds(covering_lines(campaign), " 0.00 % of "));
}

TEST(CoveringReport, NamesAllInJsonAndTheConstraintsWithTheirReasons) {
  const Campaign campaign = small_campaign();
  const auto json = covering_json(campaign);
  const auto counts = covering_counts(campaign.tally, 2);
  const auto& pass = json.at("passes").at("fwd");
  EXPECT_EQ(json.at("strength"), 2);
  EXPECT_EQ(pass.at("pairs").at("never").size(), counts[0].never.size());
  EXPECT_EQ(pass.at("pairs").at("ran"), counts[0].ran);
  EXPECT_EQ(pass.at("triples").at("drawn"), counts[1].drawn);
  EXPECT_FALSE(pass.at("triples").contains("never"));
  EXPECT_EQ(pass.at("runs").at("unit=fp32-seq").at("met").get<Index>() +
                static_cast<Index>(pass.at("runs").at("unit=fp32-seq").at("never").size()),
            pass.at("runs").at("unit=fp32-seq").at("features").get<Index>());
  EXPECT_EQ(json.at("constraints").size(), constraints_in_words().size());
}

}  // namespace
}  // namespace attest::covering_report_test
