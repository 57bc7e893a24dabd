// Goal: one defect is told once, by the law that says most of it, and no law's failure is lost or
// takes the time of a report of its own.
#include "harness/campaign/explaining.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/harness/stand_in.hpp"

namespace attest {
namespace {

using std::chrono::seconds;

const Case& causal() {
  static const Case c = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=9;nk=12;dqk=4;dv=4;in=f16;out=f16;scale=0x1p-1;left=inf;right=0;"
      "align=br;pass=fwd;family=F0;seed=3");
  return c;
}

Case backward_of(Case c) {
  c.problem.pass = Pass::bwd;
  return c;
}

Rejection rejection(const Subject& subject, std::string law, Case c = causal()) {
  return {&subject, {}, std::move(law), c, [c] { return inputs_of(c, {}); }};
}

ExplainingPlan plan_of(seconds time) {
  ExplainingPlan plan;
  plan.time = [time] { return time; };
  return plan;
}

std::vector<std::string> laws_of(const std::vector<Failure>& failures) {
  std::vector<std::string> names;
  for (const Failure& one : failures) names.push_back(one.law);
  return names;
}

const Subject& wrong() {
  static const StandIn subject({.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal"));
  return subject;
}

TEST(Directness, PutsARunThatFailedFirstAndLawsThatRerunLast) {
  std::vector<std::string> names = {std::string(kRunItself)};
  for (const Law& law : laws()) names.emplace_back(law.name);
  std::ranges::stable_sort(names, {}, [](const std::string& name) { return directness(name); });
  EXPECT_EQ(names[0], kRunItself);
  EXPECT_EQ(names[1], "accuracy");
  const auto before = [&](const char* one, const char* other) {
    return std::ranges::find(names, one) < std::ranges::find(names, other);
  };
  EXPECT_TRUE(before("stage_accuracy", "gradient_accuracy"));
  EXPECT_TRUE(before("gradient_accuracy", "replay"));
  EXPECT_TRUE(before("replay", "constant_v"));
  EXPECT_TRUE(before("containment", "one_key"));
  EXPECT_TRUE(before("two_calls", "one_key"));
  EXPECT_TRUE(before("layout", "big_offsets"));
}

TEST(Explaining, ShrinksAndProbesTheMostDirectLawAndAsksTheOthersOnItsCase) {
  const std::vector<Rejection> rejections = {rejection(wrong(), "one_key"),
                                             rejection(wrong(), "accuracy")};
  const std::vector<Failure> failures = explain(rejections, plan_of(seconds(20)));
  ASSERT_EQ(laws_of(failures), (std::vector<std::string>{"accuracy", "one_key"}));
  EXPECT_EQ(failures[0].beside, "");
  EXPECT_GT(failures[0].needs.runs, 20);
  EXPECT_LE(failures[0].shrunk.smallest.problem.n_k, 3);
  EXPECT_EQ(failures[1].beside, "accuracy");
  EXPECT_EQ(failures[1].needs.runs, 0);
  EXPECT_EQ(failures[1].original, causal());
  EXPECT_EQ(failures[1].outcome.verdict, Verdict::reject);
  EXPECT_LE(failures[1].shrunk.smallest.problem.n_k, 3);
}

TEST(Explaining, TakesTheCaseOfTheLawThatIsToldWhereTheOtherRejectsItToo) {
  const StandIn moved({.spoil = move_by_one});
  const std::vector<Rejection> rejections = {rejection(moved, "accuracy"),
                                             rejection(moved, "constant_v")};
  const std::vector<Failure> failures = explain(rejections, plan_of(seconds(20)));
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[1].smallest_text, failures[0].smallest_text);
  EXPECT_EQ(failures[1].outcome.verdict, Verdict::reject);
  EXPECT_NE(failures[1].outcome.setting, failures[0].outcome.setting);
}

// Wrong only where the law itself looks: no other law's case will do.
TEST(Explaining, ShrinksForItselfALawThatDoesNotRejectThatCase) {
  const StandIn wrong_in_two_ways({.spoil = [](const Problem& p, const ForwardOutputs& out) {
    if (p.n_k == 12) move_by_one(p, out);
    if (p.n_k < 12 && p.d_v > 2) move_by_one(p, out);
  }});
  const Case narrow = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=2;nk=12;dqk=2;dv=1;in=f16;out=f16;scale=0x1p-1;left=inf;right=inf;"
      "align=tl;pass=fwd;family=F0;seed=3");
  Case wide = narrow;
  wide.problem.n_k = 6;
  wide.problem.d_v = 4;
  const std::vector<Rejection> rejections = {rejection(wrong_in_two_ways, "accuracy", narrow),
                                             rejection(wrong_in_two_ways, "constant_v", wide)};
  ExplainingPlan plan = plan_of(seconds(0));  // as they were met
  const std::vector<Failure> failures = explain(rejections, plan);
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].shrunk.smallest, narrow);
  EXPECT_EQ(failures[1].outcome.verdict, Verdict::reject);
}

TEST(Explaining, TellsTheBackwardForItselfSinceItStartsFromWhatTheForwardLeft) {
  const StandIn both(
      {.spoil = move_by_one, .spoil_gradients = [](const Problem& p, const BackwardOutputs& out) {
         if (p.n_k > 0) move_element(out.dv, 0, 0, 0, 0);
       }});
  const Case c = backward_of(causal());
  const std::vector<Rejection> rejections = {
      rejection(both, "gradient_accuracy", c), rejection(both, "accuracy"),
      rejection(both, "stage_accuracy", c), rejection(both, "constant_v")};
  const std::vector<Failure> failures = explain(rejections, plan_of(seconds(10)));
  ASSERT_EQ(laws_of(failures), (std::vector<std::string>{"accuracy", "constant_v", "stage_accuracy",
                                                         "gradient_accuracy"}));
  EXPECT_EQ(failures[1].beside, "accuracy");
  EXPECT_EQ(failures[2].beside, "");
  EXPECT_EQ(failures[3].beside, "stage_accuracy");
}

TEST(Explaining, KeepsSubjectsApartAndTellsAllWhereAllAreAskedFor) {
  const StandIn moved({.name = "moved", .spoil = move_by_one});
  const std::vector<Rejection> rejections = {
      rejection(moved, "constant_v"), rejection(wrong(), "one_key"), rejection(moved, "accuracy"),
      rejection(wrong(), "accuracy")};
  ExplainingPlan plan = plan_of(seconds(2));
  plan.all = true;
  plan.calling = {true, "5s"};
  std::vector<Index> progress;
  plan.on_progress = [&](Index n) { progress.push_back(n); };
  const std::vector<Failure> failures = explain(rejections, plan);
  ASSERT_EQ(laws_of(failures),
            (std::vector<std::string>{"accuracy", "constant_v", "accuracy", "one_key"}));
  EXPECT_EQ(failures[0].subject, &moved);
  EXPECT_EQ(failures[2].subject, &wrong());
  for (const Failure& one : failures) {
    EXPECT_EQ(one.beside, "");
    EXPECT_TRUE(one.calling.isolated);
    EXPECT_EQ(one.calling.patience, "5s");
  }
  EXPECT_EQ(progress, (std::vector<Index>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace attest
