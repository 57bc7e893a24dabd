// Goal: the loop asks for more bits while, and only while, a verdict is open; it ends at the
// ladder's cap; and what it learns narrows enclosures without overturning a verdict.
#include "harness/campaign/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/campaign/check_case.hpp"
#include "kernels/canaries/plain.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"

namespace attest::refine_test {
namespace {

// One case with its answer, of which a test may blur rows.
class Refine : public testing::Test {
 protected:
  Refine() : sharp_(enclose_forward(c_.problem, inputs_)), exact_{sharp_, std::nullopt} {}

  // As if the oracle had been far less precise in that row.
  void blur(std::size_t row, double width) {
    const auto d_v = static_cast<std::size_t>(c_.problem.d_v);
    for (std::size_t at = row * d_v; at < (row + 1) * d_v; ++at) {
      answer_.o[at] = {sharp_.o[at].lo - width, sharp_.o[at].hi + width};
    }
    answer_.lse[row] = {sharp_.lse[row].lo - width, sharp_.lse[row].hi + width};
  }

  [[nodiscard]] static LawOutcome undecided_in(std::vector<std::size_t> rows) {
    LawOutcome outcome;
    outcome.verdict = Verdict::undecided;
    outcome.judgement.emplace();
    outcome.judgement->undecided_rows = std::move(rows);
    return outcome;
  }

  LawOutcome decide_with(const std::function<LawOutcome()>& judge) {
    return decide(c_.problem, inputs_, exact_, [&](std::optional<Precision>) {
      ++judged_;
      return judge();
    });
  }

  Case c_ = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=4;nk=40;dqk=8;dv=3;in=f16;out=f16;scale=0x1.6a09e6p-2;left=inf;"
      "right=inf;align=br;pass=fwd;family=F1;seed=5");
  Inputs inputs_ = materialise(c_);
  Answer sharp_;
  Exact exact_;
  Answer& answer_ = exact_.answer;
  int judged_ = 0;
};

TEST_F(Refine, LeavesTheAnswerAloneWhereTheFirstVerdictStands) {
  blur(1, 1e-3);
  const Answer before = answer_;
  for (const Verdict verdict : {Verdict::accept, Verdict::reject}) {
    const LawOutcome outcome = decide_with([&] {
      LawOutcome decided = undecided_in({1});
      decided.verdict = verdict;
      return decided;
    });
    EXPECT_EQ(outcome.verdict, verdict);
  }
  EXPECT_EQ(judged_, 2);
  EXPECT_EQ(answer_.o, before.o);
  EXPECT_EQ(answer_.bits, before.bits);
}

TEST_F(Refine, ClimbsToTheCapAndEndsWhereNothingEverDecides) {
  const LawOutcome outcome = decide_with([] { return undecided_in({2}); });
  EXPECT_EQ(outcome.verdict, Verdict::undecided);
  EXPECT_EQ(judged_, 4);  // at 50, 100, 200 and 400 digits
  EXPECT_GE(answer_.bits[2], static_cast<int>(std::floor(400 * std::log2(10.0))));
}

TEST_F(Refine, EndsAtOnceWhereNoRowIsNamed) {
  EXPECT_EQ(decide_with([] { return undecided_in({}); }).verdict, Verdict::undecided);
  EXPECT_EQ(decide_with([] {
              LawOutcome outcome;
              outcome.verdict = Verdict::undecided;
              return outcome;
            }).verdict,
            Verdict::undecided);
  EXPECT_EQ(judged_, 2);
}

TEST_F(Refine, StopsAtTheFirstRungThatDecides) {
  const LawOutcome outcome = decide_with([&] {
    LawOutcome decided = undecided_in({0});
    if (judged_ == 2) decided.verdict = Verdict::reject;
    return decided;
  });
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_EQ(judged_, 2);
  EXPECT_LT(answer_.bits[0], static_cast<int>(200 * std::log2(10.0)));
}

TEST_F(Refine, NarrowsTheNamedRowsAndNoOthers) {
  blur(1, 1e-3);
  blur(3, 1e-3);
  const Answer blurred = answer_;
  (void)decide_with([&] { return judged_ == 1 ? undecided_in({1}) : LawOutcome{}; });
  EXPECT_EQ(answer_.lse[1], sharp_.lse[1]);
  EXPECT_EQ(answer_.lse[3], blurred.lse[3]);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(answer_.o[3 + k], sharp_.o[3 + k]);
    EXPECT_EQ(answer_.o[9 + k], blurred.o[9 + k]);
  }
}

TEST_F(Refine, NeverWidensWhatIsSharpAlready) {
  (void)decide_with([] { return undecided_in({0, 1, 2, 3}); });
  for (std::size_t at = 0; at < sharp_.o.size(); ++at) {
    EXPECT_GE(answer_.o[at].lo, sharp_.o[at].lo);
    EXPECT_LE(answer_.o[at].hi, sharp_.o[at].hi);
  }
}

TEST_F(Refine, TurnsABlurredAnswerIntoTheVerdictOfTheSharpOne) {
  const auto plain = make_plain("plain");
  const Subject* const subjects[] = {plain.get()};
  const Law* const accuracy[] = {&law_named("accuracy")};
  const RunChoice units{{Unit::fp32_seq}, 0};
  for (std::size_t row = 0; row < 4; ++row) blur(row, 1e-2);  // far beyond the budget of f16
  const CaseResult blurred = check_case(c_, inputs_, exact_, subjects, accuracy, units);
  const CaseResult clear =
      check_case(c_, inputs_, {sharp_, std::nullopt}, subjects, accuracy, units);
  EXPECT_EQ(verdict_of(clear.subjects[0]), Verdict::accept);
  EXPECT_EQ(verdict_of(blurred.subjects[0]), Verdict::accept);
  EXPECT_GT(blurred.bits, clear.bits);  // it had to ask again
}

// A backward case, and how a law that leaves its gradients open is asked again.
class RefineGradients : public testing::Test {
 protected:
  [[nodiscard]] static LawOutcome undecided_dk(std::vector<std::size_t> rows = {}) {
    LawOutcome outcome;
    outcome.verdict = Verdict::undecided;
    outcome.judgement.emplace();
    outcome.judgement->dk.undecided = 1;
    outcome.judgement->undecided_rows = std::move(rows);
    return outcome;
  }

  LawOutcome decide_with(const std::function<LawOutcome()>& judge) {
    return decide(c_.problem, inputs_, exact_, [&](std::optional<Precision> rung) {
      rungs_.push_back(rung);
      return judge();
    });
  }

  Case c_ = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=3;nk=7;dqk=4;dv=2;in=f16;out=f16;scale=0x1p-1;left=inf;"
      "right=inf;align=br;pass=bwd;glse=yes;family=F1;seed=5");
  Inputs inputs_ = materialise(c_);
  Exact exact_ = enclose(c_.problem, inputs_);
  std::vector<std::optional<Precision>> rungs_;
};

// Binary64 first, then every rung of the ladder.
std::vector<std::optional<Precision>> whole_climb() {
  std::vector<std::optional<Precision>> rungs = {std::nullopt};
  for (auto rung = std::optional(kFirstPrecision); rung; rung = next_precision(*rung)) {
    rungs.push_back(rung);
  }
  return rungs;
}

TEST_F(RefineGradients, ClimbsFromBinary64ToTheCapAndEnds) {
  const int bits = exact_.gradients->bits;
  EXPECT_EQ(decide_with([] { return undecided_dk(); }).verdict, Verdict::undecided);
  EXPECT_EQ(rungs_, whole_climb());
  EXPECT_GT(exact_.gradients->bits, bits);
  EXPECT_GE(exact_.gradients->bits, static_cast<int>(std::floor(400 * std::log2(10.0))));
}

// The cheapest answer is loose; once that leaves something open, all of it is made sharp, and laws
// start from binary64 again.
TEST_F(RefineGradients, MakesALooseAnswerSharpBeforeItClimbs) {
  const Exact sharp{enclose_forward(c_.problem, inputs_, kFirstPrecision),
                    enclose_backward(c_.problem, inputs_, std::nullopt, kFirstPrecision)};
  exact_ = enclose_cheaply(c_.problem, inputs_);
  EXPECT_TRUE(exact_.gradients->is_loose());
  EXPECT_TRUE(exact_.answer.is_loose(0));
  const LawOutcome outcome = decide_with([&] {
    LawOutcome decided = undecided_dk();
    if (rungs_.size() == 2) decided.verdict = Verdict::reject;
    return decided;
  });
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_EQ(rungs_, (std::vector<std::optional<Precision>>{std::nullopt, std::nullopt}));
  EXPECT_FALSE(exact_.gradients->is_loose());
  EXPECT_EQ(exact_.gradients->dk.values, sharp.gradients->dk.values);
  EXPECT_EQ(exact_.answer.bits, sharp.answer.bits);
}

TEST_F(RefineGradients, StopsAtTheFirstRungThatDecides) {
  const LawOutcome outcome = decide_with([&] {
    LawOutcome decided = undecided_dk();
    if (rungs_.size() == 3) decided.verdict = Verdict::accept;
    return decided;
  });
  EXPECT_EQ(outcome.verdict, Verdict::accept);
  EXPECT_EQ(rungs_.size(), 3U);
  EXPECT_LT(exact_.gradients->bits, static_cast<int>(200 * std::log2(10.0)));
}

TEST_F(RefineGradients, NeverGoesBackWhileRowsOfTheForwardAreOpen) {
  const LawOutcome outcome = decide_with([&] {
    // The gradients are decided by the second answer; LSE of row 1 never is.
    LawOutcome open = undecided_dk({1});
    if (rungs_.size() >= 2) open.judgement->dk.undecided = 0;
    return open;
  });
  EXPECT_EQ(outcome.verdict, Verdict::undecided);
  ASSERT_EQ(rungs_.size(), 4U);
  for (std::size_t n = 1; n < rungs_.size(); ++n) EXPECT_EQ(rungs_[n], kFirstPrecision);
}

TEST_F(RefineGradients, TurnBlurredGradientsIntoTheVerdictOfTheSharpOnes) {
  const auto plain = make_plain("plain");
  const Subject* const subjects[] = {plain.get()};
  const Law* const laws[] = {&law_named("gradient_accuracy")};
  const Exact cheap = enclose_cheaply(c_.problem, inputs_);
  Exact blurred = cheap;
  for (GradientAnswer* answer :
       {&blurred.gradients->dq, &blurred.gradients->dk, &blurred.gradients->dv}) {
    for (Enclosure& e : answer->values) e = {e.lo - 1, e.hi + 1};  // far beyond a budget of f16
  }
  const RunChoice units{{Unit::fp32_seq}, 0};
  const CaseResult clear = check_case(c_, inputs_, cheap, subjects, laws, units);
  const CaseResult asked = check_case(c_, inputs_, blurred, subjects, laws, units);
  EXPECT_EQ(verdict_of(clear.subjects[0]), Verdict::accept);
  EXPECT_EQ(verdict_of(asked.subjects[0]), Verdict::accept);
  EXPECT_GT(asked.bits, clear.bits);  // it had to ask again
}

TEST_F(RefineGradients, AreThereForBackwardCasesOnly) {
  EXPECT_TRUE(exact_.gradients.has_value());
  Problem forward = c_.problem;
  forward.pass = Pass::fwd;
  forward.lse_gradient = false;
  EXPECT_FALSE(enclose(forward, materialise({forward, c_.data})).gradients.has_value());
}

}  // namespace
}  // namespace attest::refine_test
