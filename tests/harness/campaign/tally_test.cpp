// Goal: what a campaign prints as counts is what its cases were.
#include "harness/campaign/tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "properties/shape_class.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::tally_test {
namespace {

// A result as a campaign would hand it over, of one law.
CaseResult result_of(const Case& c, const Subject& subject, Verdict verdict) {
  CaseResult result;
  result.c = c;
  result.bits = 166;
  SubjectResult run;
  run.subject = &subject;
  LawResult law;
  law.law = &law_named("accuracy");
  law.outcome.verdict = verdict;
  law.outcome.judgement.emplace();
  TensorJudgement& o = law.outcome.judgement->o;
  o.judged = 10;
  o.unbounded = 2;
  o.worst_ratio = 0.5;
  o.signed_error_sum = -0.25;
  o.bounded = 8;
  law.outcome.judgement->lse.judged = 3;
  law.outcome.judgement->lse.worst_ratio = 0.125;
  law.outcome.judgement->assumed = {"exp2"};
  run.laws.push_back(law);
  result.subjects.push_back(run);
  return result;
}

TEST(Tally, KnowsEveryFamilyShapeClassAndLawFromTheStart) {
  const Tally tally;
  ASSERT_EQ(tally.families.size(), families().size());
  for (std::size_t n = 0; n < families().size(); ++n) {
    EXPECT_EQ(tally.families[n].name, families()[n].name);
  }
  EXPECT_EQ(tally.shape_classes.size(), shape_classes().size());
  EXPECT_EQ(tally.laws.size(), laws().size());
  EXPECT_EQ(tally.cases(), 0);
  EXPECT_EQ(tally.judged(), 0);
}

TEST(Tally, KeepsTheWorstRatioOfEachLawTimesAndDigestsByCase) {
  const StandIn subject({});
  const Case c = draw(1, 0);
  Tally tally;
  for (const auto& [ratio, id] :
       {std::pair(0.25, "a"), std::pair(0.75, "b"), std::pair(0.5, "c")}) {
    CaseResult result = result_of(c, subject, Verdict::accept);
    result.id = id;
    SubjectResult& run = result.subjects[0];
    run.digest = std::string("bits of ") + id;
    run.seconds = 2;
    run.laws[0].seconds = 0.5;
    run.laws[0].outcome.judgement->o.worst_ratio = ratio;
    LawResult silent;
    silent.law = &law_named("dead_rows");
    run.laws.push_back(silent);
    tally.add(result);
  }
  const SubjectTally& row = tally.subjects.begin()->second;
  EXPECT_EQ(row.laws.at("accuracy").worst_ratio, 0.75);
  EXPECT_EQ(row.laws.at("accuracy").seconds, 1.5);
  EXPECT_EQ(row.laws.at("dead_rows").worst_ratio, std::nullopt);
  EXPECT_EQ(row.seconds, 6);
  EXPECT_EQ(row.digests.size(), 3U);
  EXPECT_EQ(row.digests.at("b"), "bits of b");
}

TEST(Tally, AddsUpVerdictsElementsAndErrors) {
  const StandIn subject({});
  const Case c = draw(1, 0);
  Tally tally;
  tally.add(result_of(c, subject, Verdict::accept));
  tally.add(result_of(c, subject, Verdict::accept));
  tally.add(result_of(c, subject, Verdict::reject));
  tally.add(result_of(c, subject, Verdict::undecided));
  ASSERT_EQ(tally.subjects.size(), 1U);
  const auto& [key, counts] = *tally.subjects.begin();
  EXPECT_EQ(key, (SubjectKey{"stand-in", c.problem.in, Unit::fp32_seq}));
  EXPECT_EQ(counts.cases, 4);
  EXPECT_EQ(counts.laws.at("accuracy").accepted, 2);
  EXPECT_EQ(counts.laws.at("accuracy").rejected, 1);
  EXPECT_EQ(counts.laws.at("accuracy").undecided, 1);
  EXPECT_EQ(counts.elements, 4 * 13);
  EXPECT_EQ(counts.signed_error_sum, -1);
  EXPECT_EQ(counts.bounded, 32);
  EXPECT_EQ(counts.assumed, std::vector<std::string>{"exp2"});
  EXPECT_EQ(tally.judged(), 4);
  EXPECT_EQ(tally.bits, 166);
}

TEST(Tally, KeepsWhatAReplayFoundApartFromBudgets) {
  const StandIn subject({.name = "one"});
  CaseResult result = result_of(draw(1, 0), subject, Verdict::accept);
  LawResult law;
  law.law = &law_named("replay");
  TensorJudgement& o = law.outcome.judgement.emplace().o;
  o.judged = 8;
  o.left = 3;
  o.single = 6;
  o.width_sum = 2;
  result.subjects[0].laws.push_back(law);
  Tally tally;
  tally.add(result);
  tally.add(result);
  const SubjectTally& counts = tally.subjects.at({"one", Format::f16, Unit::fp32_seq, Pass::fwd});
  EXPECT_EQ(counts.replay[0].judged, 16);
  EXPECT_EQ(counts.replay[0].left, 6);
  EXPECT_EQ(counts.replay[0].single_share(), 0.75);
  EXPECT_EQ(counts.replay[0].mean_width(), 0.25);
  EXPECT_EQ(counts.replay[2].judged, 0);
  EXPECT_EQ(counts.replay[2].single_share(), 0);
  EXPECT_EQ(counts.elements, 2 * 13);  // those that budgets judged
  EXPECT_EQ(counts.laws.at("replay").accepted, 2);
}

// The same of a backward case and the two laws that judge gradients by number.
CaseResult backward_result(const Case& c, const Subject& subject) {
  CaseResult result = result_of(c, subject, Verdict::accept);
  for (const char* name : {"gradient_accuracy", "stage_accuracy", "dout_linearity"}) {
    const bool stage = std::string_view(name) == "stage_accuracy";
    LawResult law;
    law.law = &law_named(name);
    law.outcome.judgement.emplace();
    Judgement& judgement = *law.outcome.judgement;
    judgement.dq.judged = 4;
    judgement.dk.judged = 5;
    judgement.dv.judged = 6;
    judgement.dv.unbounded = 3;
    judgement.dq.worst_ratio = stage ? 0.25 : 0.75;
    judgement.dk.worst_ratio = stage ? 0.125 : 0.5;
    judgement.dv.worst_ratio = stage ? 0.0625 : 0.375;
    if (law.law->name == "dout_linearity") judgement.dq.worst_ratio = 1;  // of other inputs
    result.subjects[0].laws.push_back(law);
  }
  return result;
}

TEST(Tally, KeepsRatiosOfGradientsByOutputAndView) {
  const StandIn subject({.name = "one"});
  const Case c = draw(1, 0, Pass::bwd);
  Tally tally;
  tally.add_fresh(backward_result(c, subject));
  const FamilyTally& family = tally.family(std::get<FamilyData>(c.data).family);
  EXPECT_EQ(family.worst_gradients, (std::array<double, 3>{0.75, 0.5, 0.375}));
  EXPECT_EQ(family.worst_stages, (std::array<double, 3>{0.25, 0.125, 0.0625}));
  EXPECT_EQ(family.worst_o, 0.5);
  EXPECT_EQ(family.judged(), 13);  // of O and LSE
  EXPECT_EQ(family.gradients.at("one").judged, 2 * 15);
  EXPECT_EQ(family.gradients.at("one").unbounded, 2 * 3);
  EXPECT_EQ(family.worst_unbounded_share(), 6.0 / 30);  // more than 2 of 13 of O
}

TEST(Tally, KeepsRowsOfThePassesApartAndListsTheLawsOfEach) {
  const StandIn subject({.name = "one"});
  Tally tally;
  tally.add(result_of(draw(1, 0), subject, Verdict::accept));
  tally.add(backward_result(draw(1, 0, Pass::bwd), subject));
  ASSERT_EQ(tally.subjects.size(), 2U);
  const auto& forward = tally.subjects.at({"one", Format::f16, Unit::fp32_seq, Pass::fwd});
  const auto& backward = tally.subjects.at({"one", Format::f16, Unit::fp32_seq, Pass::bwd});
  EXPECT_EQ(forward.elements, 13);
  EXPECT_EQ(backward.elements, 13 + 3 * 15);
  EXPECT_EQ(forward.laws.size(), 1U);
  EXPECT_EQ(backward.laws.size(), 4U);
  const auto speaks = [&](Pass pass, const char* law) {
    return std::ranges::count(tally.laws_of(pass), law) == 1;
  };
  EXPECT_TRUE(speaks(Pass::fwd, "accuracy") && speaks(Pass::bwd, "accuracy"));
  EXPECT_TRUE(speaks(Pass::fwd, "constant_v") && !speaks(Pass::bwd, "constant_v"));
  EXPECT_TRUE(!speaks(Pass::fwd, "group_sum") && speaks(Pass::bwd, "group_sum"));
}

TEST(Tally, KeepsFormatsAndUnitsApart) {
  const StandIn subject({});
  Tally tally;
  tally.add(result_of(draw(1, 0), subject, Verdict::accept));
  tally.add(result_of(draw(1, 1), subject, Verdict::accept));
  CaseResult elsewhere = result_of(draw(1, 1), subject, Verdict::accept);
  elsewhere.subjects[0].unit = Unit::h100;
  tally.add(elsewhere);
  EXPECT_EQ(tally.subjects.size(), 3U);
}

TEST(Tally, CountsWhatAFreshCaseReached) {
  const StandIn subject({});
  const Case c = draw(1, 1);
  ASSERT_EQ(c.problem.in, Format::bf16);
  Tally tally;
  tally.add_fresh(result_of(c, subject, Verdict::accept));
  const auto bf16 = static_cast<std::size_t>(Format::bf16);
  EXPECT_EQ(tally.fresh[bf16], 1);
  EXPECT_EQ(tally.fresh_three_tiles[bf16], c.problem.n_k > 32 ? 1 : 0);
  const FamilyTally& family = tally.family(std::get<FamilyData>(c.data).family);
  EXPECT_EQ(family.cases[bf16], 1);
  EXPECT_EQ(family.worst_o, 0.5);
  EXPECT_EQ(family.worst_lse, 0.125);
  EXPECT_EQ(family.judged(), 13);
  EXPECT_EQ(family.unbounded(), 2);
  for (const ShapeClass& shape : shape_classes()) {
    EXPECT_EQ(tally.shape_classes.at(std::string(shape.name)), shape.holds(c.problem) ? 1 : 0);
  }
  EXPECT_EQ(tally.cases(), 1);
}

TEST(Tally, CountsThreeKeyTilesFrom33KeysOn) {
  const StandIn subject({});
  for (const Index n_k : {32, 33}) {
    Case c = draw(1, 0);
    c.problem.n_k = n_k;
    Tally tally;
    tally.add_fresh(result_of(c, subject, Verdict::accept));
    EXPECT_EQ(tally.fresh_three_tiles[static_cast<std::size_t>(Format::f16)], n_k == 33 ? 1 : 0);
  }
}

TEST(Tally, CountsElementsWithoutABudgetBySubject) {
  const StandIn one({.name = "one"});
  const StandIn two({.name = "two"});
  const Case c = draw(1, 0);
  Tally tally;
  tally.add_fresh(result_of(c, one, Verdict::accept));
  tally.add_fresh(result_of(c, two, Verdict::accept));
  CaseResult sharp = result_of(c, two, Verdict::accept);
  sharp.subjects[0].laws[0].outcome.judgement->o.unbounded = 0;
  tally.add_fresh(sharp);
  const FamilyTally& family = tally.family(std::get<FamilyData>(c.data).family);
  EXPECT_EQ(family.elements.at("one").unbounded_share(), 2.0 / 13);
  EXPECT_EQ(family.elements.at("two").unbounded_share(), 1.0 / 13);
  EXPECT_EQ(family.worst_unbounded_share(), 2.0 / 13);
  EXPECT_EQ(family.unbounded(), 4);
  EXPECT_EQ(ElementCounts{}.unbounded_share(), 0);
}

TEST(Tally, CountsTheRunsWhoseRowsSpanThreeOfTheirOwnKeyTiles) {
  const StandIn subject({});
  Tally tally;
  for (const Index key_tiles : {0, 2, 3, 9}) {
    CaseResult result = result_of(draw(1, 0), subject, Verdict::accept);
    result.subjects[0].key_tiles = key_tiles;
    tally.add(result);
  }
  EXPECT_EQ(tally.subjects.begin()->second.three_tiles, 2);
  EXPECT_EQ(tally.subjects.begin()->second.cases, 4);
}

TEST(Tally, KeepsWhatWasDeclinedApartFromWhatRan) {
  const StandIn subject({.name = "choosy"});
  CaseResult result = result_of(draw(1, 0), subject, Verdict::accept);
  result.subjects[0].laws.clear();
  result.subjects[0].unsupported = "no such unit";
  Tally tally;
  tally.add(result);
  tally.add(result);
  EXPECT_TRUE(tally.subjects.empty());
  EXPECT_EQ(tally.unsupported.at("choosy"), 2);
  EXPECT_EQ(tally.reasons.at("choosy").at("no such unit"), tally.unsupported.at("choosy"));
}

TEST(Tally, CountsRunsThatEndedBadly) {
  const StandIn subject({});
  CaseResult result = result_of(draw(1, 0), subject, Verdict::accept);
  result.subjects[0].laws.clear();
  result.subjects[0].trouble = {RunOutcome::Kind::crashed, "signal 11"};
  Tally tally;
  tally.add(result);
  EXPECT_EQ(tally.subjects.begin()->second.cases, 1);
  EXPECT_EQ(tally.subjects.begin()->second.troubled(), 1);
  EXPECT_EQ(tally.judged(), 0);
}

}  // namespace
}  // namespace attest::tally_test
