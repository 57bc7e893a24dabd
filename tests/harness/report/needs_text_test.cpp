// Goal: what probing found is said in a few plain words that claim no more than was tried.
#include "harness/report/needs_text.hpp"

#include <gtest/gtest.h>

#include "tests/harness/report/text_lines.hpp"

namespace attest::needs_text_test {
namespace {

constexpr Trial F = Trial::fails;
constexpr Trial P = Trial::passes;
constexpr Trial D = Trial::declined;

Probe sizes(std::string name, std::string own, std::vector<TriedValue> tried) {
  return {std::move(name), std::move(own), true, std::move(tried)};
}
Probe choices(std::string name, std::string own, std::vector<TriedValue> tried) {
  return {std::move(name), std::move(own), false, std::move(tried)};
}

TEST(NeedText, NamesTheEdgeWhereBothSidesWereTried) {
  const Probe edge = sizes("nk", "17", {{"15", P}, {"16", P}, {"17", F}, {"64", F}});
  EXPECT_EQ(need_of(edge), Need::some);
  EXPECT_EQ(need_text(edge), "nk > 16");
  EXPECT_EQ(need_text(sizes("dv", "4", {{"1", F}, {"8", F}, {"9", P}})), "dv < 9");
}

TEST(NeedText, LeavesTheGapOpenWhereNobodyLooked) {
  EXPECT_EQ(need_text(sizes("dqk", "17", {{"9", P}, {"17", F}})), "dqk >= 17 (not 9)");
  EXPECT_EQ(need_text(sizes("nq", "4", {{"4", F}, {"64", P}})), "nq <= 4 (not 64)");
}

TEST(NeedText, ListsSizesWithoutAnEdge) {
  EXPECT_EQ(need_text(sizes("nk", "17", {{"16", P}, {"17", F}, {"32", P}, {"33", F}})),
            "nk 17 33 (not 16 32)");
  EXPECT_EQ(need_text(sizes("nk", "17", {{"16", P}, {"17", F}, {"18", P}})), "nk=17 (not 16 18)");
}

TEST(NeedText, DrawsTogetherSizesThatEndedAlike) {
  const Probe probe = sizes("nk", "24",
                            {{"0", D},
                             {"1", P},
                             {"8", P},
                             {"23", P},
                             {"24", F},
                             {"25", P},
                             {"32", F},
                             {"64", F},
                             {"256", F}});
  EXPECT_EQ(need_text(probe), "nk 24 32..256 (not 1..23 25)");
}

TEST(NeedText, OfChoicesNamesThoseThatFailAndThoseThatDoNot) {
  EXPECT_EQ(need_text(choices("align", "br", {{"tl", P}, {"br", F}})), "align=br (not tl)");
  EXPECT_EQ(need_text(choices("unit", "h100", {{"v100", F}, {"h100", F}, {"exact-rn", P}})),
            "unit v100 h100 (not exact-rn)");
  const Probe draws = choices("values", "own", {{"own", F}, {"F0;seed=1", P}, {"F0;seed=2", F}});
  EXPECT_EQ(need_text(draws), "these values (of 2 other draws 1 fail)");
}

TEST(NeedText, SaysOfWhatDoesNotMatterHowFarItWasTried) {
  const Probe any = sizes("dqk", "1", {{"1", F}, {"8", F}, {"256", F}, {"300", D}});
  EXPECT_EQ(need_of(any), Need::none);
  EXPECT_EQ(need_text(any), "dqk 1..256");
  EXPECT_EQ(need_text(choices("scale", "x1", {{"/256", F}, {"x1", F}, {"x256", F}})),
            "scale /256..x256");
  EXPECT_EQ(need_text(choices("in", "f16", {{"f16", F}, {"bf16", F}})), "in f16 bf16");
}

TEST(NeedText, KnowsNothingWhereEveryOtherValueWasDeclined) {
  const Probe probe = choices("unit", "fp32-seq", {{"fp32-seq", F}, {"h100", D}});
  EXPECT_EQ(need_of(probe), Need::untold);
  EXPECT_EQ(need_text(probe), "unit=fp32-seq");
}

TEST(NeedsLines, SayWhatMattersWhatDoesNotAndHowMuchWasTried) {
  Needs needs;
  needs.probes = {choices("align", "br", {{"tl", P}, {"br", F}}),
                  sizes("nk", "17", {{"16", P}, {"17", F}}), sizes("nq", "1", {{"1", F}, {"9", F}}),
                  choices("unit", "fp32-seq", {{"fp32-seq", F}, {"h100", D}})};
  needs.runs = 12;
  needs.untried = {"hk", "batch"};
  EXPECT_EQ(needs_lines(needs),
            "  needs      nk > 16, align=br (not tl)\n"
            "  any        nq 1..9\n"
            "  alone      unit=fp32-seq: other values were declined\n"
            "  tried      12 cases around this one; of the rest nothing is known; out of time for "
            "hk, batch\n");
}

TEST(NeedsLines, AreNoneWhereNothingWasTried) {
  Needs needs;
  needs.untried = {"nk"};
  EXPECT_EQ(needs_lines(needs), "");
}

}  // namespace
}  // namespace attest::needs_text_test
