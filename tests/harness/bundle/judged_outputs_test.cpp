// Goal: every element of a failing case is judged as its law judged it, with terms that explain its
// budget, whatever the pass and the view.
#include "harness/bundle/judged_outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/bundle/failing.hpp"

namespace attest::judged_outputs_test {
namespace {

const JudgedTensor& named(const JudgedOutputs& judged, std::string_view name) {
  const auto found = std::ranges::find(judged.tensors, name, &JudgedTensor::name);
  EXPECT_NE(found, judged.tensors.end()) << name;
  return *found;
}

// Unshrunk: more than one element.
JudgedOutputs judged(const std::string& subject, const std::string& text, const std::string& law,
                     Failure* failure = nullptr) {
  const OwnFolder folder;
  const Failure found =
      failure_of(subject, text, law, folder.path(), std::chrono::milliseconds(-1));
  const Case& c = found.shrunk.smallest;
  if (failure != nullptr) *failure = found;
  return judge_outputs(found, inputs_of(c, folder.path()), {});
}

// Terms of one element, in units of its budget.
double share_of_terms(const JudgedTensor& tensor, std::size_t at) {
  double sum = 0;
  for (std::size_t n = 0; n < tensor.term_names.size(); ++n) {
    sum += tensor.terms[at * tensor.term_names.size() + n];
  }
  return sum / tensor.budgets[at];
}

void expect_explained(const JudgedTensor& tensor) {
  std::size_t budgets = 0;
  for (std::size_t at = 0; at < tensor.budgets.size(); ++at) {
    EXPECT_LE(tensor.exact[at].lo, tensor.exact[at].hi);
    if (tensor.verdicts[at] == StoredVerdict::unjudged || std::isnan(tensor.budgets[at])) continue;
    ++budgets;
    EXPECT_GT(share_of_terms(tensor, at), 0.5) << tensor.name << " " << at;
    EXPECT_LE(share_of_terms(tensor, at), 1 + 1e-9) << tensor.name << " " << at;
    if (tensor.verdicts[at] == StoredVerdict::reject) {
      EXPECT_GT(tensor.errors[at], tensor.budgets[at]);
    }
  }
  EXPECT_GT(budgets, 0u) << tensor.name;
}

TEST(JudgedOutputs, HoldTheElementThatTheReportShows) {
  Failure failure;
  const JudgedOutputs outputs = judged("canary/m11-top-left-causal", kCausal, "accuracy", &failure);
  ASSERT_EQ(outputs.tensors.size(), 2u);
  EXPECT_EQ(outputs.view, "");
  const ElementJudgement& shown = *failure.outcome.judgement->worst();
  const JudgedTensor& tensor = named(outputs, name_of(shown.tensor));
  const Extents& extents = tensor.observed.extents();
  const auto at = static_cast<std::size_t>(
      ((shown.b * extents[1] + shown.h) * extents[2] + shown.i) * extents[3] + shown.k);
  EXPECT_EQ(tensor.verdicts[at], StoredVerdict::reject);
  EXPECT_EQ(tensor.observed.view().bits(shown.b, shown.h, shown.i, shown.k), shown.bits);
  EXPECT_EQ(tensor.errors[at], shown.error);
  EXPECT_EQ(tensor.budgets[at], shown.budget.total);
  const JudgedTensor& o = named(outputs, "o");
  EXPECT_EQ(std::ranges::count(o.verdicts, StoredVerdict::reject),
            failure.outcome.judgement->o.rejected);
  expect_explained(o);
  expect_explained(named(outputs, "lse"));
}

TEST(JudgedOutputs, OfABackwardHoldGradientsInTheViewOfTheLaw) {
  const JudgedOutputs end =
      judged("canary/m31-lse-gradient-ignored", kBackward, "gradient_accuracy");
  const JudgedOutputs stage =
      judged("canary/m31-lse-gradient-ignored", kBackward, "stage_accuracy");
  EXPECT_EQ(end.view, "end to end");
  EXPECT_EQ(stage.view, "stage by stage");
  for (const JudgedOutputs* outputs : {&end, &stage}) {
    ASSERT_EQ(outputs->tensors.size(), 5u);
    for (const char* name : {"dq", "dk", "dv"}) expect_explained(named(*outputs, name));
    EXPECT_GT(std::ranges::count(named(*outputs, "dq").verdicts, StoredVerdict::reject), 0);
  }
  EXPECT_NE(named(end, "dq").budgets, named(stage, "dq").budgets);
}

TEST(JudgedOutputs, JudgeDeadRowsByTheirDeclaration) {
  std::string dead = kCausal;
  dead.replace(dead.find("nk=9"), 4, "nk=2");
  const JudgedOutputs outputs = judged("canary/m01-no-dead-guard", dead, "dead_rows");
  const JudgedTensor& o = named(outputs, "o");
  EXPECT_EQ(o.classes[0], OutputClass::dead);
  EXPECT_EQ(o.verdicts[0], StoredVerdict::reject);
  EXPECT_TRUE(std::isnan(o.budgets[0]));
}

TEST(JudgedOutputs, OfARunThatBreaksRulesAreNone) {
  const JudgedOutputs outputs =
      judged("machine-fault/missing-barrier", kSeveralTiles, std::string(kRunItself));
  EXPECT_EQ(outputs.outcome.kind, RunOutcome::Kind::broke_rules);
  EXPECT_TRUE(outputs.tensors.empty());
}

}  // namespace
}  // namespace attest::judged_outputs_test
