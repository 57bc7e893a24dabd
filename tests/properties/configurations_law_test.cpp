// Goal: a law may try all configurations of a subject, one of them, or one by name; it judges each
// by what that one declares, names the one at fault, and passes over what the subject declines.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "properties/law.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest {
namespace {

// The rowwise subject in ways of a test's making, which it counts.
class Told final : public Subject {
 public:
  using Way = std::function<RunOutcome(const Problem&, const ForwardOutputs&)>;
  using Ways = std::map<std::string, Way>;
  explicit Told(Ways ways) : ways_(std::move(ways)) {}

  [[nodiscard]] std::string name() const override { return "told"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem& p, Unit unit) const override {
    return healthy_.numerics(p, unit);
  }
  [[nodiscard]] Semantics semantics() const override { return healthy_.semantics(); }
  [[nodiscard]] std::vector<std::string> configurations(const Problem&, Unit) const override {
    std::vector<std::string> names;
    for (const auto& [name, way] : ways_) names.push_back(name);
    return names;
  }
  // "coarse" rounds P to bf16, or so it says.
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& p,
                                     Unit unit) const override {
    Numerics n = healthy_.numerics(p, unit);
    if (configuration == "coarse") n.p_format = Format::bf16;
    if (configuration == "coarse") n.order = std::nullopt;  // not a schedule that can be followed
    return n;
  }
  RunOutcome run(const Problem& p, const ForwardInputs& in, const ForwardOutputs& out,
                 const RunSettings& settings) const override {
    runs.push_back(settings.configuration);
    RunOutcome outcome = healthy_.run(p, in, out, {settings.unit});
    const auto way = ways_.find(settings.configuration);
    return way == ways_.end() || !way->second ? outcome : way->second(p, out);
  }

  mutable std::vector<std::string> runs;

 private:
  RowwiseSubject healthy_;
  Ways ways_;
};

LawOutcome check(const Subject& subject, const TriedConfigurations& tried = {},
                 std::uint64_t seed = 7) {
  const Case c = {parse_problem("attest1:b=1;hq=2;hk=1;nq=4;nk=20;dqk=8;dv=3;in=f16;out=f32;"
                                "scale=0x1p-1;left=inf;right=inf;align=tl;pass=fwd"),
                  FamilyData{"F0", seed}};
  const Inputs inputs = materialise(c);
  const Answer answer = enclose_forward(c.problem, inputs);
  const RunSettings settings;
  const Outputs outputs = poisoned_outputs(c.problem);  // the own choice's are not looked at
  return law_named("configurations")
      .check({c.problem, inputs, answer, subject, settings, outputs, nullptr, std::nullopt, nullptr,
              nullptr, tried});
}

// Moves each output by its own size times `factor`.
Told::Way off_by(double factor) {
  return [factor](const Problem& p, const ForwardOutputs& out) {
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.n_q; ++i) {
        for (Index k = 0; k < p.d_v; ++k) {
          const double moved = out.o.value(0, h, i, k) * (1 + factor);
          out.o.set_bits(0, h, i, k, round_to_bits(p.out, moved));
        }
      }
    }
    return RunOutcome{};
  };
}

Told::Way ends(RunOutcome::Kind kind) {
  return [kind](const Problem&, const ForwardOutputs&) {
    return RunOutcome{kind, "in so many words"};
  };
}

TEST(ConfigurationsLaw, TriesAllOrOneThatTheCaseDrawsOrTheOneThatIsNamed) {
  const Told subject({{"a", {}}, {"b", {}}, {"c", {}}});
  EXPECT_EQ(check(subject).verdict, Verdict::accept);
  EXPECT_EQ(subject.runs, (std::vector<std::string>{"a", "b", "c"}));

  std::set<std::string> met;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    subject.runs.clear();
    EXPECT_TRUE(check(subject, {.one = true}, seed).applicable);
    EXPECT_TRUE(check(subject, {.one = true}, seed).applicable);
    ASSERT_EQ(subject.runs.size(), 2U);
    EXPECT_EQ(subject.runs[0], subject.runs[1]);
    met.insert(subject.runs[0]);
  }
  EXPECT_EQ(met, (std::set<std::string>{"a", "b", "c"}));

  subject.runs.clear();
  EXPECT_TRUE(check(subject, {.named = "b"}).applicable);
  EXPECT_EQ(subject.runs, std::vector<std::string>{"b"});
  EXPECT_FALSE(check(subject, {.named = "d"}).applicable);
  EXPECT_FALSE(check(Told(Told::Ways())).applicable);
}

TEST(ConfigurationsLaw, NamesTheOneAtFaultAndGoesNoFurther) {
  const Told subject({{"a", {}}, {"b", off_by(0x1p-8)}, {"c", {}}});
  const LawOutcome outcome = check(subject);
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_EQ(outcome.configuration, "b");
  EXPECT_EQ(outcome.setting, "configuration b");
  EXPECT_FALSE(outcome.other_problem);
  ASSERT_TRUE(outcome.judgement && outcome.judgement->worst());
  EXPECT_EQ(outcome.judgement->worst()->verdict, Verdict::reject);
  EXPECT_EQ(subject.runs.size(), 2U);
  EXPECT_EQ(check(subject, {.named = "c"}).verdict, Verdict::accept);
}

TEST(ConfigurationsLaw, JudgesEachByItsOwnDeclaration) {
  // An error of 2^-13 is beyond binary32 weights, and nothing beside those of bf16.
  EXPECT_EQ(check(Told({{"coarse", off_by(0x1p-13)}})).verdict, Verdict::accept);
  EXPECT_EQ(check(Told({{"fine", off_by(0x1p-13)}})).verdict, Verdict::reject);
}

TEST(ConfigurationsLaw, CountsTheElementsOfAll) {
  const LawOutcome one = check(Told(Told::Ways{{"a", {}}}));
  const LawOutcome two = check(Told({{"a", {}}, {"b", {}}}));
  ASSERT_TRUE(one.judgement && two.judgement);
  EXPECT_GT(one.judgement->judged(), 0);
  EXPECT_EQ(two.judgement->judged(), 2 * one.judgement->judged());
}

TEST(ConfigurationsLaw, PassesOverWhatIsDeclinedAndRejectsARunThatEndsBadly) {
  const Told declines({{"a", ends(RunOutcome::Kind::unsupported)}, {"b", {}}});
  EXPECT_EQ(check(declines).verdict, Verdict::accept);
  EXPECT_FALSE(check(declines, {.named = "a"}).applicable);
  const LawOutcome crash = check(Told({{"a", ends(RunOutcome::Kind::crashed)}}));
  EXPECT_EQ(crash.verdict, Verdict::reject);
  EXPECT_EQ(crash.trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(crash.configuration, "a");
  EXPECT_NE(crash.detail.find("configuration a"), std::string::npos) << crash.detail;
}

}  // namespace
}  // namespace attest
