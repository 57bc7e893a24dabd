// Goal: whoever compares two reports is told what changed, all of it and nothing else.
#include "harness/report/comparison.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "harness/report/kept_campaign.hpp"
#include "tests/harness/report/gate_sample.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::comparison_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

KeptReport one_row(const std::string& verdict, double ratio, const std::string& digest = "d0") {
  KeptReport report;
  report.title = "tier smoke, seed 1";
  KeptRow& row = report.rows["plain f16 h100 fwd"];
  row.laws["accuracy"] = {verdict, ratio};
  row.laws["dead_rows"] = {"accept", std::nullopt};
  row.digests = {{"case0", digest}, {"case1", "d1"}};
  return report;
}

TEST(Comparison, FindsNothingWhereNothingChanged) {
  const Comparison c = compare(kept(gate_sample()), kept(gate_sample()));
  EXPECT_TRUE(c.new_rows.empty());
  EXPECT_TRUE(c.vanished_rows.empty());
  EXPECT_TRUE(c.verdicts.empty());
  EXPECT_TRUE(c.ratios.empty());
  EXPECT_TRUE(c.bits.empty());
  EXPECT_GT(c.compared_ratios, 10);
  EXPECT_GT(c.same_cases, 10);
  EXPECT_EQ(c.same_cases, c.same_bits);
  EXPECT_EQ(c.same_cases, c.runs_with_bits);
}

TEST(Comparison, NamesRowsThatCameAndWent) {
  KeptReport earlier = one_row("accept", 0.5), now = earlier;
  earlier.rows["gone f16 h100 fwd"];
  now.rows["new f16 h100 fwd"];
  const Comparison c = compare(earlier, now);
  EXPECT_EQ(c.new_rows, std::vector<std::string>{"new f16 h100 fwd"});
  EXPECT_EQ(c.vanished_rows, std::vector<std::string>{"gone f16 h100 fwd"});
  EXPECT_TRUE(c.verdicts.empty());
}

TEST(Comparison, NamesVerdictsThatChangedAndLawsThatCameAndWent) {
  KeptReport earlier = one_row("accept", 0.5), now = one_row("reject", 0.5);
  earlier.rows.begin()->second.laws["old"] = {"accept", {}};
  now.rows.begin()->second.laws["young"] = {"undecided", {}};
  const Comparison c = compare(earlier, now);
  ASSERT_EQ(c.verdicts.size(), 3U);
  const auto text = [](const VerdictChange& v) { return v.law + " " + v.was + " " + v.is; };
  EXPECT_EQ(text(c.verdicts[0]), "accuracy accept reject");
  EXPECT_EQ(text(c.verdicts[1]), "old accept absent");
  EXPECT_EQ(text(c.verdicts[2]), "young absent undecided");
}

TEST(Comparison, ListsRatiosWithTheLargestGrowthFirst) {
  KeptReport earlier, now;
  const std::pair<double, double> ratios[] = {{0.5, 0.4}, {0.5, 0.9},   {kInf, 1},
                                              {1, kInf},  {kInf, kInf}, {0.25, 0.25}};
  for (const auto& [was, is] : ratios) {
    const std::string name = "row" + std::to_string(earlier.rows.size());
    earlier.rows[name].laws["accuracy"] = {"accept", was};
    now.rows[name].laws["accuracy"] = {"accept", is};
  }
  const Comparison c = compare(earlier, now);
  EXPECT_EQ(c.compared_ratios, 6);
  std::string order;
  for (const RatioChange& change : c.ratios) order += change.row + " ";
  EXPECT_EQ(order, "row3 row1 row0 row2 ");
}

TEST(Comparison, ComparesBitsOfTheSameCasesOnly) {
  const KeptReport earlier = one_row("accept", 0.5, "other bits");
  KeptReport now = one_row("accept", 0.5);
  now.rows.begin()->second.digests["case2"] = "d2";
  const Comparison c = compare(earlier, now);
  EXPECT_EQ(c.runs_with_bits, 3);
  EXPECT_EQ(c.same_cases, 2);
  EXPECT_EQ(c.same_bits, 1);
  ASSERT_EQ(c.bits.size(), 1U);
  EXPECT_EQ(c.bits[0].cases, 1);
  EXPECT_EQ(c.bits[0].first, "case0");
  const std::string page = comparison_page(c, {{"case0", {"attest1:x", 7}}});
  EXPECT_TRUE(holds(page, "2 of 3 runs that promise theirs met the same case; 1 changed")) << page;
  EXPECT_TRUE(holds(page, "in 1 cases, as in attest1:x (schedule seed 7)")) << page;
}

TEST(Comparison, SeesAKernelThatChangesABit) {
  const StandIn before({.name = "mine"});
  const StandIn after(
      {.name = "mine", .spoil = [](const Problem& p, const ForwardOutputs& outputs) {
         if (p.n_q == 0) return;
         outputs.lse.set_bits(0, 0, 0, 0, outputs.lse.bits(0, 0, 0, 0) ^ 1);
       }});
  const auto report = [](const Subject& subject) {
    CampaignPlan plan = small_plan(6, {&subject});
    plan.filter = Filter("law=determinism,write_coverage");  // blind to it
    plan.shrink_time = std::chrono::seconds{0};
    return kept(run_campaign(plan));
  };
  const Comparison c = compare(report(before), report(after));
  EXPECT_EQ(c.same_cases, 6);
  EXPECT_LT(c.same_bits, 3);  // a row without a live key may be nobody's promise
  EXPECT_EQ(c.bits.size(), 2U);
}

TEST(Comparison, SaysWhatAnOlderReportLacks) {
  KeptReport earlier = one_row("accept", 0.5);
  earlier.has_bits = earlier.has_ratios = false;
  const std::string page = comparison_page(compare(earlier, one_row("accept", 0.6)), {});
  EXPECT_TRUE(holds(page, "worst ratios     the earlier report holds none")) << page;
  EXPECT_TRUE(holds(page, "bits             the earlier report holds none")) << page;
}

TEST(Comparison, PrintsSomeOfManyAndSaysHowManyMore) {
  Comparison c;
  for (int n = 0; n < 15; ++n) c.new_rows.push_back("row" + std::to_string(n));
  const std::string page = comparison_page(c, {}, 10);
  EXPECT_TRUE(holds(page, "row9\n"));
  EXPECT_FALSE(holds(page, "row10\n"));
  EXPECT_TRUE(holds(page, "and 5 more\n"));
}

}  // namespace
}  // namespace attest::comparison_test
