// Goal: the page that users read most tells everything, in its documented order, and tells it right
// for numbers, special values, rows without a key, laws without a value, and crashes.
#include "harness/report/failing_report.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "core/hex_float.hpp"
#include "properties/draw.hpp"
#include "tests/harness/report/text_lines.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::failing_report_test {
namespace {

using Words = std::vector<std::string>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Case& causal() {
  static const Case c = parse_case(
      "attest1:b=2;hq=2;hk=1;nq=9;nk=20;dqk=4;dv=3;in=bf16;out=f16;scale=0x1p-1;left=inf;right=0;"
      "align=br;lk=20,7;pass=fwd;family=F0;seed=9");
  return c;
}

// Unshrunk, so that the numbers of the case are known.
Failure fail_on(const Case& c, const Subject& subject, const std::string& law) {
  return explain_failure(c, materialise(c), subject, {}, law, {},
                         std::chrono::steady_clock::now() - std::chrono::seconds(1));
}

TEST(FailingReport, HoldsEveryPartInTheDocumentedOrder) {
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  const std::string report = failing_report(fail_on(causal(), wrong, "accuracy"), {});
  EXPECT_EQ(first_words(report), (Words{"REJECT", "because", "region", "observed", "exact", "error",
                                        "largest", "row", "oracle", "shrunk", "again"}))
      << report;
  EXPECT_TRUE(report.starts_with("REJECT  wrong bf16 fp32-seq  law accuracy  element o[b="))
      << report;
  EXPECT_TRUE(holds(report, "because    the error exceeds the budget"));
}

TEST(FailingReport, PrintsTheElementsOwnNumbers) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = fail_on(causal(), wrong, "accuracy");
  const ElementJudgement& e = *failure.outcome.judgement->worst();
  const std::string report = failing_report(failure, {});
  char bits[8];
  std::snprintf(bits, sizeof bits, "%04x", static_cast<unsigned>(e.bits));
  EXPECT_TRUE(holds(line_beginning(report, "  observed"), "(f16 " + std::string(bits)));
  EXPECT_TRUE(holds(line_beginning(report, "  observed"), to_hex(e.observed)));
  EXPECT_TRUE(holds(line_beginning(report, "  exact in"),
                    "[" + to_hex(e.exact.lo) + ", " + to_hex(e.exact.hi) + "]"));
  EXPECT_TRUE(holds(line_beginning(report, "  error"), "error      1.0"));
  EXPECT_TRUE(holds(line_beginning(report, "  oracle"), std::to_string(e.oracle_bits) + " bits"));
}

TEST(FailingReport, TellsARatioBeyondTheEdgeFromOneOnIt) {
  const StandIn wrong({.spoil = move_by_one});
  ElementJudgement e = *fail_on(causal(), wrong, "accuracy").outcome.judgement->worst();
  const auto shown = [&](double ratio) {
    e.ratio = ratio;
    const std::string line = line_beginning(element_report(e), "  error");
    return line.substr(line.find("ratio "));
  };
  EXPECT_EQ(shown(1), "ratio 1");
  EXPECT_EQ(shown(1.34), "ratio 1.34");
  EXPECT_EQ(shown(1.0004), "ratio 1.0004");
  EXPECT_EQ(shown(0.99997), "ratio 0.99997");
  EXPECT_EQ(shown(1 + 0x1p-52), "ratio 1.0000000000000002");
  EXPECT_EQ(shown(123456), "ratio 1.23e+05");
}

TEST(FailingReport, DescribesTheRow) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = fail_on(causal(), wrong, "accuracy");
  const std::string row = line_beginning(failing_report(failure, {}), "  row");
  const RowMoments& moments = failure.outcome.judgement->worst()->row;
  EXPECT_TRUE(holds(row, "at j=" + std::to_string(moments.argmax))) << row;
  EXPECT_TRUE(holds(row, std::to_string(moments.keys_near_max) + " of " +
                             std::to_string(moments.live_keys) + " live keys within 1 of it"))
      << row;
  EXPECT_TRUE(holds(row, std::to_string(20 - moments.live_keys) + " masked")) << row;
}

// On the same problem with gradients, of which one element is moved.
std::string report_on(TensorView BackwardOutputs::*gradient, const std::string& law) {
  Case c = causal();
  c.problem.pass = Pass::bwd;
  const auto spoil = [=](const Problem&, const BackwardOutputs& out) {
    move_element(out.*gradient, 1, 0, 6, 2);
  };
  const StandIn moved({.name = "moved", .spoil_gradients = spoil});
  return failing_report(fail_on(c, moved, law), {});
}

TEST(FailingReport, OfAGradientNamesItsRowsAndColumns) {
  const struct {
    TensorView BackwardOutputs::*gradient;
    const char* element;
    const char* region;
  } rows[] = {
      {&BackwardOutputs::dq, "dq[b=1 h=0 i=6 d=2]", "region     query row 6 of 9, column 2 of 4"},
      {&BackwardOutputs::dk, "dk[b=1 h=0 j=6 d=2]", "region     key row 6 of 20, column 2 of 4"},
      {&BackwardOutputs::dv, "dv[b=1 h=0 j=6 d=2]", "region     key row 6 of 20, column 2 of 3"}};
  for (const auto& [gradient, element, region] : rows) {
    for (const char* law : {"gradient_accuracy", "stage_accuracy"}) {
      const std::string report = report_on(gradient, law);
      // No row of scores: those of a key's gradient are many.
      EXPECT_EQ(first_words(report), (Words{"REJECT", "because", "region", "observed", "exact",
                                            "error", "largest", "oracle", "shrunk", "again"}))
          << report;
      EXPECT_TRUE(holds(report, std::string("  law ") + law + "  element " + element)) << report;
      EXPECT_EQ(line_beginning(report, "  region"), std::string("  ") + region);
      EXPECT_TRUE(holds(line_beginning(report, "  again"), ";pass=bwd;family=F0;")) << report;
    }
  }
}

TEST(FailingReport, ListsTheBudgetsTermsLargestFirstByTheirShares) {
  ElementJudgement e;
  e.budget.total = 10;
  e.budget.terms = {{"small", 0.01}, {"scores", 2}, {"P rounding", 7}, {"log", 0.99}};
  e.error = 20;
  e.ratio = 2;
  EXPECT_EQ(line_beginning(element_report(e), "  largest"),
            "  largest    P rounding 70 %, scores 20 %, log 10 %");
  EXPECT_EQ(line_beginning(element_report(e), "  error"),
            "  error      2.000e+01  budget 1.000e+01  ratio 2");
}

TEST(FailingReport, ListsNoTermsWhereNoneHasAShare) {
  ElementJudgement e;
  e.budget.terms = {{"scores", 0}, {"log", 0}};
  EXPECT_EQ(first_words(element_report(e)), (Words{"observed", "exact", "error"}));
  e.budget.terms = {{"scores", kInfinity}, {"log", 1}};
  EXPECT_EQ(first_words(element_report(e)), (Words{"observed", "exact", "error"}));
}

TEST(FailingReport, OfAReplayNamesTheAcceptableValues) {
  ElementJudgement e;
  e.replayed = true;
  e.exact = {0.5, 0.5};
  EXPECT_EQ(line_beginning(element_report(e), "  acceptable"), "  acceptable 0x1p-1 alone");
  e.exact.hi = 0.75;
  EXPECT_EQ(line_beginning(element_report(e), "  acceptable"),
            "  acceptable from 0x1p-1 to 0x1.8p-1");
}

TEST(FailingReport, SaysWhyThereIsNoBudget) {
  ElementJudgement e;
  e.budget.unbounded = Unbounded::range;
  EXPECT_TRUE(holds(element_report(e), "budget     none: an intermediate may leave its range"));
  e.budget.unbounded = Unbounded::magnitude;
  EXPECT_TRUE(holds(element_report(e), "budget     none: the declared error exceeds the output"));
}

TEST(FailingReport, PrintsClassesWhereTheExactAnswerIsNoNumber) {
  const struct {
    OutputClass exact;
    const char* text;
  } rows[] = {{OutputClass::nan, "  exact      NaN"},
              {OutputClass::plus_inf, "  exact      +inf"},
              {OutputClass::minus_inf, "  exact      -inf"},
              {OutputClass::undefined, "  exact      undefined"},
              {OutputClass::dead, "  exact      dead"},
              {OutputClass::beyond, "  exact      beyond the length"}};
  for (const auto& [exact, text] : rows) {
    ElementJudgement e;
    e.exact_class = exact;
    e.observed = 0.5;
    e.bits = 0x3f000000;
    EXPECT_EQ(lines_of(element_report(e)),
              (Words{"  observed   0x1p-1  (f32 3f000000, 0.5)", text}));
  }
}

TEST(FailingReport, ClaimsNoErrorWhereNothingFiniteWasObserved) {
  ElementJudgement e;
  e.observed = std::numeric_limits<double>::quiet_NaN();
  e.bits = 0x7fc00000;
  e.budget.total = 0.25;
  e.ratio = kInfinity;
  const std::string report = element_report(e);
  EXPECT_TRUE(holds(report, "  observed   nan  (f32 7fc00000, nan)")) << report;
  EXPECT_EQ(line_beginning(report, "  budget"), "  budget     2.500e-01");
  EXPECT_FALSE(holds(report, "error"));
}

TEST(FailingReport, OfARowWithoutAKeySaysSo) {
  const StandIn wrong({.spoil = [](const Problem&, const ForwardOutputs& out) {
    out.o.set_bits(0, 0, 0, 0, 0x3c00);
  }});
  const Case dead = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=2;nk=5;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=-1;"
      "align=tl;pass=fwd;family=F0;seed=9");
  const std::string report = failing_report(fail_on(dead, wrong, "dead_rows"), {});
  EXPECT_TRUE(holds(report, "law dead_rows  element o[b=0 h=0 i=0 d=0]")) << report;
  EXPECT_TRUE(holds(report, "  exact      dead")) << report;
  EXPECT_TRUE(holds(report, "  row 0      no live key, 5 masked")) << report;
}

TEST(FailingReport, OfALawWithoutAValueGivesItsReason) {
  const auto subject = kernel_of_canary("canary/m05-poisoned-v-tail");
  const std::string report = failing_report(fail_on(causal(), *subject, "containment"), {});
  EXPECT_EQ(first_words(report), (Words{"REJECT", "because", "shrunk", "again"})) << report;
  EXPECT_TRUE(holds(report, "with NaN in unseen bytes")) << report;
}

TEST(FailingReport, OfACrashTellsHowTheRunEnded) {
  const StandIn crashes({.outcome = {RunOutcome::Kind::crashed, "signal 11 in lane 3"}});
  const std::string report =
      failing_report(fail_on(causal(), crashes, std::string(kRunItself)), {});
  EXPECT_EQ(first_words(report), (Words{"REJECT", "run", "shrunk", "again"})) << report;
  EXPECT_TRUE(holds(report, "law run")) << report;
  EXPECT_TRUE(holds(report, "  run        crashed: signal 11 in lane 3")) << report;

  const StandIn rude({.outcome = {RunOutcome::Kind::broke_rules, "read of row 99"}});
  EXPECT_TRUE(holds(failing_report(fail_on(causal(), rude, std::string(kRunItself)), {}),
                    "  run        broke rules: read of row 99"));

  const StandIn twice({.outcome = {RunOutcome::Kind::broke_rules, "race\nat x.hpp:7"}});
  EXPECT_TRUE(holds(failing_report(fail_on(causal(), twice, std::string(kRunItself)), {}),
                    "  run        broke rules: race\n             at x.hpp:7\n"));
}

TEST(FailingReport, NamesWhatShrinkingChanged) {
  const StandIn wrong({.spoil = move_by_one});
  Failure failure = fail_on(causal(), wrong, "accuracy");
  EXPECT_EQ(line_beginning(failing_report(failure, {}), "  shrunk"),
            "  shrunk     nothing in 0 steps (0 tried, out of time)");
  failure.shrunk.smallest.problem.n_k = 3;
  failure.shrunk.smallest.problem.lk.clear();
  failure.shrunk.steps = 7;
  failure.shrunk.tried = 60;
  failure.shrunk.out_of_time = false;
  EXPECT_EQ(line_beginning(failing_report(failure, {}), "  shrunk"),
            "  shrunk     nk=20 -> 3, lk=20,7 -> full in 7 steps (60 tried)");
}

TEST(FailingReport, EndsWithTheCommandThatReplaysIt) {
  const StandIn wrong({.name = "variant/x", .spoil = move_by_one});
  const Failure failure = fail_on(causal(), wrong, "accuracy");
  EXPECT_EQ(replay_command(failure),
            "attest replay '" + to_string(causal()) + "' --subject 'variant/x' --unit fp32-seq");
  EXPECT_EQ(lines_of(failing_report(failure, {})).back(),
            "  again      " + replay_command(failure));
}

TEST(FailingReport, ReplaysWithTheScheduleSeedThatTheFailureNeeds) {
  const StandIn wrong({.spoil = move_by_one});
  Failure failure = fail_on(causal(), wrong, "accuracy");
  failure.schedule_seed = 18446744073709551615U;
  EXPECT_TRUE(lines_of(failing_report(failure, {}))
                  .back()
                  .ends_with(" --unit fp32-seq --schedule-seed 18446744073709551615"));
}

TEST(FailingReport, ReplaysInTheConfigurationThatFailed) {
  const StandIn wrong({.spoil = move_by_one});
  Failure failure = fail_on(causal(), wrong, "accuracy");
  failure.configuration = "parts=3";
  EXPECT_TRUE(lines_of(failing_report(failure, {}))
                  .back()
                  .ends_with(" --unit fp32-seq --configuration 'parts=3'"));
}

TEST(FailingReport, SaysWhereAnElementWasNeverWritten) {
  const StandIn lazy({.spoil_gradients = [](const Problem&, const BackwardOutputs& out) {
    out.dk.set_bits(0, 0, 0, 0, poison_bits(out.dk.format));
  }});
  const Case c = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=1;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
      "align=tl;lk=0;pass=bwd;family=F0;seed=9");
  const std::string report = failing_report(fail_on(c, lazy, "dead_rows"), {});
  EXPECT_TRUE(line_beginning(report, "  observed").ends_with(", never written")) << report;
  EXPECT_FALSE(holds(element_report(ElementJudgement{}), "never written"));
}

TEST(FailingReport, ReplaysAsTheSubjectWasCalledWhateverItsName) {
  const StandIn wrong({.name = "plugin:./it's.so#x", .spoil = move_by_one});
  Failure failure = fail_on(causal(), wrong, "accuracy");
  failure.calling = {true, "5s"};
  const std::string command = replay_command(failure);
  EXPECT_TRUE(command.ends_with(
      " --subject 'plugin:./it'\\''s.so#x' --unit fp32-seq --isolate --patience 5s"))
      << command;
}

// In the order of Campaign::failures: one that is told in full, then those beside it.
TEST(FailingReport, TellsOfOtherLawsInALineEach) {
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  Failure element = fail_on(causal(), wrong, "constant_v");
  Failure comparison = fail_on(causal(), wrong, "slices");
  comparison.outcome.judgement.reset();
  comparison.outcome.detail = "o differs\nand more";
  comparison.smallest_text += "0";
  element.beside = comparison.beside = "accuracy";
  Failure other = fail_on(causal(), wrong, "dead_rows");
  const std::vector<Failure> failures = {fail_on(causal(), wrong, "accuracy"), element, comparison,
                                         other};
  const std::vector<ToldFailure> told = told_failures(failures, {});
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].failure, &failures[0]);
  EXPECT_EQ(told[1].failure, &failures[3]);
  EXPECT_EQ(told[1].report, failing_report(other, {}));
  const std::vector<std::string> lines = lines_of(told[0].report);
  ASSERT_GT(lines.size(), 4U);
  EXPECT_EQ(lines[lines.size() - 4],
            "  also       rejected by 2 more laws, which --all tells in full:");
  const ElementJudgement& e = *element.outcome.judgement->worst();
  EXPECT_TRUE(lines[lines.size() - 3].starts_with("             constant_v  " + place_of(e) +
                                                  " the error exceeds the budget, ratio "))
      << lines[lines.size() - 3];
  EXPECT_EQ(lines[lines.size() - 2], "             slices      o differs (in another case)");
  EXPECT_EQ(lines.back(), "  again      " + replay_command(failures[0]));
}

TEST(FailingReport, ColoursTheVerdictOnlyWhereColourIsWanted) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = fail_on(causal(), wrong, "accuracy");
  EXPECT_FALSE(holds(failing_report(failure, {false}), "\033"));
  EXPECT_TRUE(failing_report(failure, {true}).starts_with("\033[31;1mREJECT\033[0m  "));
}

}  // namespace
}  // namespace attest::failing_report_test
