// Goal: an explained failure is smaller, still fails, says where, and can be had again from its
// string alone, values in a file included.
#include "harness/campaign/failure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/draw.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/stand_in.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::failure_test {
namespace {

using Clock = std::chrono::steady_clock;

const Case& causal() {
  static const Case c = parse_case(
      "attest1:b=2;hq=2;hk=1;nq=21;nk=50;dqk=16;dv=8;in=f16;out=f16;scale=0x1p-2;left=inf;"
      "right=0;align=br;pass=fwd;family=F1;seed=9");
  return c;
}

// The named law judges `c` on `subject`, from its string and the folder.
Verdict judged_again(const std::string& text, const std::filesystem::path& folder,
                     const Subject& subject, const std::string& law) {
  const Case c = parse_case(text);
  const Subject* const subjects[] = {&subject};
  const Law* const laws[] = {&law_named(law)};
  const CaseResult result =
      check_case(c, inputs_of(c, folder), subjects, laws, {{Unit::fp32_seq}, 0});
  return verdict_of(result.subjects[0]);
}

class ExplainedFailure : public testing::Test {
 protected:
  Failure explain(const Case& c, const Subject& subject, const std::string& law,
                  std::chrono::seconds limit = std::chrono::seconds(30),
                  const RunSettings& settings = {}) {
    return explain_failure(c, inputs_of(c, folder_.path()), subject, settings, law, folder_.path(),
                           Clock::now() + limit);
  }

  OwnFolder folder_;
};

TEST_F(ExplainedFailure, IsSmallerAndFailsAgainFromItsString) {
  const StandIn wrong({.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal"));
  const Failure failure = explain(causal(), wrong, "accuracy");
  EXPECT_EQ(failure.subject, &wrong);
  EXPECT_EQ(failure.law, "accuracy");
  EXPECT_EQ(failure.original, causal());
  const Problem& smallest = failure.shrunk.smallest.problem;
  EXPECT_LE(smallest.n_k, 3);
  EXPECT_EQ(smallest.batch, 1);
  EXPECT_GT(failure.shrunk.steps, 0);
  EXPECT_FALSE(failure.shrunk.out_of_time);
  EXPECT_EQ(parse_case(failure.smallest_text), failure.shrunk.smallest);
  EXPECT_EQ(judged_again(failure.smallest_text, folder_.path(), wrong, "accuracy"),
            Verdict::reject);
  EXPECT_EQ(judged_again(failure.smallest_text, folder_.path(), *make_plain("plain"), "accuracy"),
            Verdict::accept);
}

TEST_F(ExplainedFailure, ShowsTheElementAndItsRow) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = explain(causal(), wrong, "accuracy", std::chrono::seconds(0));
  ASSERT_TRUE(failure.outcome.judgement.has_value());
  const ElementJudgement* shown = failure.outcome.judgement->worst();
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->verdict, Verdict::reject);
  EXPECT_FALSE(shown->budget.terms.empty());
  // Row i of this causal problem sees keys 0 .. i + 29.
  EXPECT_EQ(shown->row.live_keys, shown->i + 30);
  EXPECT_EQ(shown->row.last_live, shown->i + 29);
  EXPECT_GE(shown->oracle_bits, 166);
}

TEST_F(ExplainedFailure, IsExplainedEvenWhereThereIsNoTimeToShrink) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = explain(causal(), wrong, "accuracy", std::chrono::seconds(-1));
  EXPECT_TRUE(failure.shrunk.out_of_time);
  EXPECT_EQ(failure.shrunk.smallest, causal());
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
  EXPECT_EQ(failure.smallest_text, to_string(causal()));
}

TEST_F(ExplainedFailure, SaysOnWhichSizesAndFeaturesItDepends) {
  const StandIn wrong({.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal"));
  const Failure failure = shrink_and_probe(causal(), inputs_of(causal(), folder_.path()), wrong, {},
                                           "accuracy", folder_.path(), std::chrono::seconds(60));
  EXPECT_GT(failure.needs.runs, 50);
  EXPECT_TRUE(failure.needs.untried.empty());
  const auto passing = [&](std::string_view dimension) {
    std::vector<std::string> values;
    for (const Probe& probe : failure.needs.probes) {
      if (probe.dimension != dimension) continue;
      for (const TriedValue& one : probe.tried) {
        if (one.trial == Trial::passes) values.push_back(one.value);
      }
    }
    return values;
  };
  EXPECT_EQ(passing("align"), std::vector<std::string>{"tl"});
  const std::vector<std::string> masks = passing("mask");
  EXPECT_NE(std::ranges::find(masks, "none"), masks.end());
  EXPECT_TRUE(passing("dqk").empty());
  EXPECT_TRUE(passing("batch").empty());
  for (const Probe& probe : failure.needs.probes) {
    if (probe.dimension != "unit") continue;
    // The plain kernel has one unit alone.
    EXPECT_EQ(std::ranges::count(probe.tried, Trial::declined, &TriedValue::trial), 4);
  }
}

TEST_F(ExplainedFailure, IsNotProbedWhereThereIsNoTime) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure = shrink_and_probe(causal(), inputs_of(causal(), folder_.path()), wrong, {},
                                           "accuracy", folder_.path(), std::chrono::seconds(0));
  EXPECT_TRUE(failure.shrunk.out_of_time);
  EXPECT_EQ(failure.needs.runs, 0);
  EXPECT_FALSE(failure.needs.untried.empty());
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
}

TEST_F(ExplainedFailure, OfARunKeepsHowItEnded) {
  const StandIn broken({.outcome = {RunOutcome::Kind::crashed, "signal 11"}});
  const Failure failure = explain(causal(), broken, std::string(kRunItself));
  EXPECT_EQ(failure.trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(failure.trouble.detail, "signal 11");
  EXPECT_FALSE(failure.outcome.judgement.has_value());
  EXPECT_LE(failure.shrunk.smallest.problem.n_k, 1);
}

TEST_F(ExplainedFailure, OfALawsExtraRunKeepsHowItEnded) {
  const RowwiseSubject crashes(Wrong::crash_on_ones);
  const Failure failure = explain(causal(), crashes, "constant_v");
  EXPECT_EQ(failure.trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
  EXPECT_EQ(failure.shrunk.smallest.problem.n_k, 1);
}

TEST_F(ExplainedFailure, ThatNeedsItsScheduleIsShrunkUnderItAndKeepsIt) {
  const StandIn racy(
      {.when = [](const RunSettings& s) { return s.schedule_seed == 41; }, .spoil = move_by_one});
  const Failure failure =
      explain(causal(), racy, "accuracy", std::chrono::seconds(30), {Unit::fp32_seq, 41});
  EXPECT_EQ(failure.schedule_seed, 41U);
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
  EXPECT_EQ(failure.shrunk.smallest.problem.n_k, 1);
}

TEST_F(ExplainedFailure, OfAConfigurationIsShrunkInItAloneAndKeepsIt) {
  // Of two that fail, the one that is named.
  const StandIn wrong({.when = [](const RunSettings& s) { return s.configuration == "tile_k=4"; },
                       .spoil = move_by_one},
                      kernel_of_canary("canary/m12-other-tile-tail"));
  RunSettings settings{Unit::fp32_seq, 41};
  settings.configuration = "tile_k=7";
  const Failure failure =
      explain(causal(), wrong, "configurations", std::chrono::seconds(30), settings);
  EXPECT_EQ(failure.configuration, "tile_k=7");
  EXPECT_EQ(failure.outcome.configuration, "tile_k=7");
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
  EXPECT_EQ(failure.schedule_seed, 0U);
  EXPECT_EQ(failure.shrunk.smallest.problem.n_k, 1);
  EXPECT_EQ(numerics_of(failure).tile_k, 7);
  Failure own = failure;
  own.configuration = "";
  EXPECT_EQ(numerics_of(own).tile_k, 16);
  const Needs needs = probe_needs(failure, folder_.path(), Clock::now() + std::chrono::seconds(30));
  EXPECT_FALSE(needs.probes.empty());
}

TEST_F(ExplainedFailure, ThatFailsUnderAnyScheduleNeedsNone) {
  const StandIn wrong({.spoil = move_by_one});
  const Failure failure =
      explain(causal(), wrong, "accuracy", std::chrono::seconds(30), {Unit::fp32_seq, 41});
  EXPECT_EQ(failure.schedule_seed, 0U);
  EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
}

// Wrong only where the inputs are too large for a case string.
void spoil_large(const Problem& p, const ForwardOutputs& outputs) {
  const Index elements = p.batch * (p.heads_q * p.n_q * p.d_qk + p.heads_k * p.n_k * p.d_qk +
                                    p.heads_k * p.n_k * p.d_v);
  if (elements * bytes_of(p.in) > kLargestLiteral) move_by_one(p, outputs);
}

TEST_F(ExplainedFailure, PutsALargeLiteralIntoAFileAndReadsItBack) {
  const StandIn wrong({.spoil = spoil_large});
  const Case literal{causal().problem, materialise(causal())};
  ASSERT_GT(bytes_of(std::get<Inputs>(literal.data)), kLargestLiteral);
  const Failure failure = explain(literal, wrong, "accuracy");
  const std::size_t at = failure.smallest_text.find("data=sha256:");
  ASSERT_NE(at, std::string::npos) << failure.smallest_text;
  const std::string digest = failure.smallest_text.substr(at + 12);
  EXPECT_TRUE(std::filesystem::exists(folder_ / (digest + ".h5")));
  EXPECT_EQ(inputs_of(parse_case(failure.smallest_text), folder_.path()),
            std::get<Inputs>(failure.shrunk.smallest.data));
  EXPECT_EQ(judged_again(failure.smallest_text, folder_.path(), wrong, "accuracy"),
            Verdict::reject);
}

TEST_F(ExplainedFailure, NeedsTheFileThatACaseNames) {
  const std::string digest(64, 'a');
  const Case c{causal().problem, FileData{digest}};
  const std::string message = error_of([&] { (void)inputs_of(c, folder_.path()); });
  EXPECT_TRUE(message.starts_with("usage: ")) << message;
  EXPECT_NE(message.find(digest), std::string::npos) << message;
}

}  // namespace
}  // namespace attest::failure_test
