// Goal: one case meets its subjects: the unit that is due, the answer that was given, the laws that
// apply, and a run that ends badly, each in its place of the result.
#include "harness/campaign/check_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/campaign/turns.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "tests/harness/stand_in.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::check_case_test {
namespace {

const Case& sample() {
  static const Case c = parse_case(
      "attest1:b=2;hq=2;hk=1;nq=6;nk=20;dqk=8;dv=3;in=bf16;out=bf16;scale=0x1.6a09e6p-2;left=inf;"
      "right=inf;align=br;lk=20,13;pass=fwd;family=F1;seed=5");
  return c;
}

std::vector<const Law*> laws_named(std::initializer_list<std::string_view> names) {
  std::vector<const Law*> picked;
  for (const std::string_view name : names) picked.push_back(&law_named(name));
  return picked;
}

SubjectResult check_one(const Subject& subject, const RunChoice& choice,
                        std::initializer_list<std::string_view> names = {"accuracy"}) {
  const Subject* const subjects[] = {&subject};
  return check_case(sample(), materialise(sample()), subjects, laws_named(names), choice)
      .subjects.at(0);
}

TEST(CheckCase, AcceptsTheHealthyAndRejectsTheWrongOnOneAnswer) {
  const StandIn healthy({.name = "healthy"});
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  const Subject* const subjects[] = {&healthy, &wrong};
  const CaseResult result = check_case(sample(), materialise(sample()), subjects,
                                       laws_named({"accuracy"}), {emulated_units(), 0});
  ASSERT_EQ(result.subjects.size(), 2U);
  EXPECT_EQ(result.c, sample());
  EXPECT_EQ(result.subjects[0].subject, &healthy);
  EXPECT_EQ(verdict_of(result.subjects[0]), Verdict::accept);
  EXPECT_EQ(result.subjects[1].subject, &wrong);
  EXPECT_EQ(verdict_of(result.subjects[1]), Verdict::reject);
  EXPECT_EQ(result.bits, kLooseBits);  // binary64 was enough for both
}

TEST(CheckCase, JudgesByTheAnswerThatItWasGiven) {
  Answer moved = enclose_forward(sample().problem, materialise(sample()));
  for (Enclosure& e : moved.o) e = {e.lo + 1, e.hi + 1};
  const StandIn healthy({.name = "healthy"});
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  const Subject* const subjects[] = {&healthy, &wrong};
  const CaseResult result = check_case(sample(), materialise(sample()), {moved, std::nullopt},
                                       subjects, laws_named({"accuracy"}), {emulated_units(), 0});
  EXPECT_EQ(verdict_of(result.subjects[0]), Verdict::reject);
}

TEST(CheckCase, KeepsTheApplicableLawsInTheirOrder) {
  const StandIn healthy({});
  const SubjectResult result =
      check_one(healthy, {{Unit::fp32_seq}, 0}, {"accuracy", "dead_rows", "containment"});
  ASSERT_EQ(result.laws.size(), 2U);  // no row is dead here
  EXPECT_EQ(result.laws[0].law->name, "accuracy");
  EXPECT_EQ(result.laws[1].law->name, "containment");
  EXPECT_TRUE(result.laws[0].outcome.judgement.has_value());
}

TEST(CheckCase, AsksTheLawsThatSpeakOfItsPass) {
  Case backward = sample();
  backward.problem.pass = Pass::bwd;
  const StandIn healthy({});
  const Subject* const subjects[] = {&healthy};
  const auto asked = laws_named({"accuracy", "constant_v", "gradient_accuracy"});
  const auto names = [&](const Case& c) {
    std::vector<std::string_view> kept;
    const RunChoice unit{{Unit::fp32_seq}, 0};
    const CaseResult result = check_case(c, materialise(c), subjects, asked, unit);
    for (const LawResult& law : result.subjects.at(0).laws) {
      EXPECT_EQ(law.outcome.verdict, Verdict::accept) << law.outcome.detail;
      kept.push_back(law.law->name);
    }
    return kept;
  };
  EXPECT_EQ(names(sample()), (std::vector<std::string_view>{"accuracy", "constant_v"}));
  EXPECT_EQ(names(backward), (std::vector<std::string_view>{"accuracy", "gradient_accuracy"}));
}

TEST(CheckCase, AsksALawThatRerunsInItsTurnAndAMainSubjectAlwaysIfSoAsked) {
  const StandIn main({.name = "main"});
  const StandIn variant({.name = "variant/one"});
  const auto laws_met = [&](const Subject& subject, bool all_for_main) {
    std::multiset<std::string_view> met;
    for (std::uint64_t turn = 0; turn < 5; ++turn) {
      RunChoice choice{emulated_units(), 0};
      choice.rerun = laws_in_turn(Pass::fwd, 5, turn);
      choice.all_for_main = all_for_main;
      const SubjectResult result =
          check_one(subject, choice, {"accuracy", "constant_v", "containment"});
      for (const LawResult& law : result.laws) met.insert(law.law->name);
    }
    return met;
  };
  for (const std::string_view rerun : {"constant_v", "containment"}) {
    EXPECT_EQ(laws_met(main, false).count(rerun), 1U) << rerun;
    EXPECT_EQ(laws_met(main, true).count(rerun), 5U) << rerun;
    EXPECT_EQ(laws_met(variant, true).count(rerun), 1U) << rerun;
  }
  EXPECT_EQ(laws_met(variant, true).count("accuracy"), 5U);
}

// Each configuration that the law of that name tried, in order.
std::vector<std::string> tried(const RunChoice& choice) {
  std::vector<std::string> seen;
  const StandIn subject({.when =
                             [&](const RunSettings& settings) {
                               if (!settings.configuration.empty())
                                 seen.push_back(settings.configuration);
                               return false;
                             }},
                        make_plain("plain", {}, true));
  EXPECT_EQ(verdict_of(check_one(subject, choice, {"accuracy", "configurations"})),
            Verdict::accept);
  return seen;
}

TEST(CheckCase, TriesAllConfigurationsOrOneWhereLawsHaveTurnsOrTheOneThatIsNamed) {
  RunChoice choice{{Unit::fp32_seq}, 0};
  EXPECT_EQ(tried(choice), (std::vector<std::string>{"tile_k=4", "tile_k=7", "tile_k=64", "parts=2",
                                                     "parts=3", "parts=5"}));
  choice.configuration = "parts=3";
  EXPECT_EQ(tried(choice), std::vector<std::string>{"parts=3"});
  choice.configuration = "";
  choice.one_configuration = true;
  choice.rerun.emplace();
  EXPECT_EQ(tried(choice).size(), 0U);
  choice.rerun = {&law_named("configurations")};
  EXPECT_EQ(tried(choice).size(), 1U);
  choice.rerun.emplace();
  choice.all_for_main = true;
  EXPECT_EQ(tried(choice).size(), 1U);
}

TEST(UnitRotation, TakesTheUnitsInTurn) {
  const StandIn two({.units = {Unit::exact_rn, Unit::h100}});
  const std::vector<Unit> offered = {Unit::exact_rn, Unit::h100};
  for (std::uint64_t turn = 0; turn < 6; ++turn) {
    const SubjectResult result = check_one(two, {offered, turn});
    EXPECT_FALSE(result.unsupported);
    EXPECT_EQ(result.unit, offered[turn % 2]);
  }
}

TEST(UnitRotation, SkipsUnitsThatTheSubjectDoesNotHave) {
  const StandIn two({.units = {Unit::h100, Unit::exact_rn}});
  for (std::uint64_t turn = 0; turn < 6; ++turn) {
    const SubjectResult result = check_one(two, {emulated_units(), turn});
    EXPECT_FALSE(result.unsupported);
    EXPECT_EQ(result.unit, turn % 2 == 0 ? Unit::exact_rn : Unit::h100);
  }
}

TEST(UnitRotation, AnswersUnsupportedWithTheReasonWhereNoUnitWillDo) {
  const StandIn scalar({.name = "scalar"});
  const SubjectResult result = check_one(scalar, {{Unit::a100, Unit::h100}, 3});
  EXPECT_EQ(result.unsupported, "scalar has no unit a100");  // the first one offered
  EXPECT_TRUE(result.laws.empty());
  EXPECT_EQ(result.trouble.kind, RunOutcome::Kind::ran);
}

TEST(UnitRotation, OffersEveryUnitButTheDeviceWhenNobodyAsks) {
  const std::vector<Unit> units = emulated_units();
  EXPECT_EQ(units.size(), std::size(kUnits) - 1);
  EXPECT_EQ(std::ranges::find(units, Unit::device), units.end());
}

TEST(Conventions, ThatCannotBeJudgedYetAreUnsupported) {
  const auto reason_with = [](const std::function<void(Semantics&)>& declare) {
    const StandIn subject({.declare = declare});
    return check_one(subject, {{Unit::fp32_seq}, 0}).unsupported.value_or("supported");
  };
  EXPECT_EQ(reason_with([](Semantics&) {}), "supported");
  EXPECT_EQ(reason_with([](Semantics& s) { s.lse_base = LseBase::two; }),
            "an LSE in base 2 is not judged yet");
  EXPECT_EQ(reason_with([](Semantics& s) { s.lse_scaled = false; }),
            "an LSE of unscaled scores is not judged yet");
  EXPECT_EQ(reason_with([](Semantics& s) { s.align_bottom_right = false; }),
            "the subject declares no such alignment");
  EXPECT_EQ(reason_with([](Semantics& s) { s.align_top_left = false; }), "supported");
}

// What the subject's runs were told, law after law.
std::vector<RunSettings> settings_of_runs(const RunChoice& choice) {
  std::vector<RunSettings> seen;
  const StandIn subject({.when = [&](const RunSettings& settings) {
    seen.push_back(settings);
    return false;
  }});
  (void)check_one(subject, choice, {"accuracy", "constant_v", "containment"});
  return seen;
}

TEST(CheckCase, GivesEveryRunOfACaseTheSameScheduleAndThreads) {
  const std::vector<RunSettings> seen = settings_of_runs({{Unit::fp32_seq}, 0, 77, 3});
  EXPECT_GE(seen.size(), 3U);  // the laws' own runs too
  for (const RunSettings& settings : seen) {
    EXPECT_EQ(settings.schedule_seed, 77U);
    EXPECT_EQ(settings.threads, 3);
  }
}

TEST(CheckCase, MeasuresRowsInTheKeyTilesThatTheSubjectDeclares) {
  const auto tiles = [](const Case& c, Index tile_k) {
    PlainConfig config;
    config.tile_k = tile_k;
    const StandIn subject({}, make_plain("plain", config));
    const Subject* const subjects[] = {&subject};
    return check_case(c, materialise(c), subjects, {}, {{Unit::fp32_seq}, 0})
        .subjects.at(0)
        .key_tiles;
  };
  EXPECT_EQ(tiles(sample(), 16), 2);  // 20 keys at most
  EXPECT_EQ(tiles(sample(), 7), 3);
  EXPECT_EQ(tiles(sample(), 32), 1);
  Case window = sample();
  window.problem.left = 0;  // one live key a row
  window.problem.right = 0;
  EXPECT_EQ(tiles(window, 7), 1);
  Case none = sample();
  none.problem.right = -30;
  EXPECT_EQ(tiles(none, 7), 0);
}

TEST(CheckCase, DoesNotAskTheOracleWhereEverySubjectDeclines) {
  const StandIn scalar({});
  const Subject* const subjects[] = {&scalar};
  const CaseResult result = check_case(sample(), materialise(sample()), subjects,
                                       laws_named({"accuracy"}), {{Unit::device}, 0});
  EXPECT_EQ(result.bits, 0);
  EXPECT_TRUE(result.subjects.at(0).unsupported.has_value());
}

TEST(CheckCase, RejectsARunThatEndsBadlyAndAsksNoLaw) {
  for (const auto kind : {RunOutcome::Kind::crashed, RunOutcome::Kind::broke_rules}) {
    const StandIn broken({.outcome = {kind, "signal 11"}});
    const SubjectResult result = check_one(broken, {{Unit::fp32_seq}, 0});
    EXPECT_EQ(result.trouble.kind, kind);
    EXPECT_EQ(result.trouble.detail, "signal 11");
    EXPECT_TRUE(result.laws.empty());
    EXPECT_EQ(verdict_of(result), Verdict::reject);
  }
}

TEST(CheckCase, TakesARunThatDeclinesForADeclinedCase) {
  const StandIn declines({.outcome = {RunOutcome::Kind::unsupported, "no such tile"}});
  const SubjectResult result = check_one(declines, {{Unit::fp32_seq}, 0});
  EXPECT_EQ(result.unsupported, "no such tile");
  EXPECT_EQ(result.trouble.kind, RunOutcome::Kind::ran);
  EXPECT_TRUE(result.laws.empty());
}

TEST(CheckCase, RunsASubjectOnItsOwnUnitUnlessAnotherIsAskedFor) {
  const StandIn real({.units = {Unit::device}, .own_unit = Unit::device});
  EXPECT_EQ(check_one(real, {emulated_units(), 3}).unit, Unit::device);
  EXPECT_TRUE(check_one(real, {{Unit::a100}, 0}).unsupported.has_value());
}

TEST(CheckCase, TellsOfALawsExtraRunThatCrashed) {
  const RowwiseSubject crashes(Wrong::crash_on_ones);
  const SubjectResult result =
      check_one(crashes, {{Unit::fp32_seq}, 0}, {"accuracy", "constant_v"});
  EXPECT_EQ(result.trouble.kind, RunOutcome::Kind::crashed);
  ASSERT_EQ(result.laws.size(), 2U);
  EXPECT_EQ(result.laws[0].outcome.verdict, Verdict::accept);
  EXPECT_EQ(result.laws[1].outcome.verdict, Verdict::reject);
  EXPECT_EQ(verdict_of(result), Verdict::reject);
}

TEST(VerdictOfARun, IsTheWorstOfItsLaws) {
  const auto result_of = [](std::initializer_list<Verdict> verdicts) {
    SubjectResult result;
    for (const Verdict verdict : verdicts) {
      LawResult law;
      law.outcome.verdict = verdict;
      result.laws.push_back(law);
    }
    return verdict_of(result);
  };
  using enum Verdict;
  EXPECT_EQ(result_of({}), accept);
  EXPECT_EQ(result_of({accept, accept}), accept);
  EXPECT_EQ(result_of({accept, undecided}), undecided);
  EXPECT_EQ(result_of({undecided, reject, accept}), reject);
}

}  // namespace
}  // namespace attest::check_case_test
