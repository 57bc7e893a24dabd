// Goal: the fold over elements loses nothing: every row is judged once, in live or in declared
// rows; counts, the worst element and the rows to refine are those of the elements.
#include "judge/judge_forward.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"

namespace attest::judge_forward_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two batch entries, the second with one query row beyond its length and a dead first row.
Problem mixed_problem() {
  Problem p;
  p.batch = 2;
  p.heads_q = 2;
  p.n_q = 3;
  p.n_k = 4;
  p.d_v = 2;
  p.right = 0;
  p.lq = {3, 2};
  p.lk = {4, 1};
  return p;
}

struct JudgedRun {
  Problem p;
  Inputs inputs;
  Answer answer;
  Numerics numerics;
  Semantics semantics;
  Result result;

  [[nodiscard]] Judgement judge(Rows rows) const {
    return judge_forward(p, answer, numerics, semantics, result.o.view(), result.lse.view(), rows);
  }
};

JudgedRun run_of(const Problem& p, const Inputs& inputs) {
  const auto plain = make_plain("plain");
  return {p,
          inputs,
          enclose_forward(p, inputs),
          plain->numerics(p, Unit::fp32_seq),
          plain->semantics(),
          run(*plain, p, inputs)};
}

JudgedRun mixed() { return run_of(mixed_problem(), gaussian_inputs(mixed_problem(), 1)); }

TEST(JudgeForward, JudgesEveryRowOnce) {
  const JudgedRun r = mixed();
  const Judgement live = r.judge(Rows::live);
  const Judgement declared = r.judge(Rows::declared);
  // Per head: three live rows and one; one dead row and one beyond.
  EXPECT_EQ(live.lse.judged, 2 * 4);
  EXPECT_EQ(live.o.judged, 2 * 4 * 2);
  EXPECT_EQ(declared.lse.judged, 2 * 2);
  EXPECT_EQ(declared.o.judged, 2 * 2 * 2);
  EXPECT_EQ(live.judged(), live.o.judged + live.lse.judged);
  EXPECT_EQ(live.verdict(), Verdict::accept);
  EXPECT_EQ(declared.verdict(), Verdict::accept);
  EXPECT_EQ(live.o.accepted, live.o.judged);
  EXPECT_TRUE(live.undecided_rows.empty());
  EXPECT_TRUE(live.assumed.empty());
}

TEST(JudgeForward, ShowsAWitnessEveryElementWithItsTerms) {
  const JudgedRun r = mixed();
  Index seen = 0;
  const auto witness = [&](const ElementJudgement& e) {
    ++seen;
    double sum = 0;
    for (const BudgetTerm& term : e.budget.terms) sum += term.value;
    EXPECT_GT(sum, 0);
    EXPECT_LE(sum, e.budget.total * (1 + 1e-9));
  };
  const Judgement judged = judge_forward(r.p, r.answer, r.numerics, r.semantics, r.result.o.view(),
                                         r.result.lse.view(), Rows::live, witness);
  EXPECT_EQ(seen, judged.judged());
  EXPECT_EQ(judged.o.worst_ratio, r.judge(Rows::live).o.worst_ratio);
}

TEST(JudgeForward, NamesTheWorstElementByItsPlaceAndBits) {
  JudgedRun r = mixed();
  r.result.o.view().set_bits(1, 1, 1, 1, 0x7bff);
  const Judgement j = r.judge(Rows::live);
  EXPECT_EQ(j.o.rejected, 1);
  EXPECT_EQ(j.o.accepted, j.o.judged - 1);
  EXPECT_EQ(j.verdict(), Verdict::reject);
  const ElementJudgement* worst = j.worst();
  ASSERT_NE(worst, nullptr);
  EXPECT_EQ(worst->tensor, OutputTensor::o);
  EXPECT_EQ(name_of(worst->tensor), "o");
  EXPECT_EQ((std::array{worst->b, worst->h, worst->i, worst->k}),
            (std::array<Index, 4>{1, 1, 1, 1}));
  EXPECT_EQ(worst->bits, 0x7bffu);
  EXPECT_EQ(worst->observed, 65504);
  EXPECT_EQ(worst->format, Format::f16);
  EXPECT_NEAR(worst->error, 65504, 10);
  EXPECT_DOUBLE_EQ(worst->ratio, worst->error / worst->budget.total);
  EXPECT_EQ(j.o.worst_ratio, worst->ratio);
  EXPECT_FALSE(worst->reason.empty());
}

TEST(JudgeForward, PutsARejectionBeforeALargerRatioElsewhere) {
  JudgedRun r = mixed();
  r.result.lse.view().set_bits(0, 0, 0, 0, 0x7fc00000);  // NaN: a ratio of infinity
  Judgement j = r.judge(Rows::live);
  ASSERT_NE(j.worst(), nullptr);
  EXPECT_EQ(j.worst()->tensor, OutputTensor::lse);
  EXPECT_EQ(j.worst()->ratio, kInfinity);
  EXPECT_EQ(j.lse.rejected, 1);
  EXPECT_EQ(j.o.rejected, 0);
}

TEST(JudgeForward, RejectsDeclaredRowsThatDiffer) {
  JudgedRun r = mixed();
  r.result.o.view().set_bits(1, 0, 0, 0, 1);  // of the dead row
  EXPECT_EQ(r.judge(Rows::live).verdict(), Verdict::accept);
  EXPECT_EQ(r.judge(Rows::declared).o.rejected, 1);
  r.semantics.dead_o = DeadO::unspecified;
  const Judgement j = r.judge(Rows::declared);
  EXPECT_EQ(j.o.rejected, 0);
  EXPECT_EQ(j.o.judged, 2 * 2);  // the rows beyond the length
}

TEST(JudgeForward, HasNothingToShowWhereNothingWasJudged) {
  Problem p;
  p.n_q = 0;
  const Judgement j = run_of(p, zero_inputs(p)).judge(Rows::live);
  EXPECT_EQ(j.judged(), 0);
  EXPECT_EQ(j.worst(), nullptr);
  EXPECT_EQ(j.verdict(), Verdict::accept);
  EXPECT_EQ(j.o.signed_mean(), 0);
}

TEST(JudgeForward, MeasuresTheErrorToTheFartherEndOfTheEnclosure) {
  JudgedRun r = mixed();
  Enclosure& lse = r.answer.lse[0];
  const double exact = lse.lo;
  lse = {exact - 1, exact};
  EXPECT_NEAR(r.judge(Rows::live).lse.worst->error, 1, 1e-5);
  lse = {exact, exact + 1};
  EXPECT_NEAR(r.judge(Rows::live).lse.worst->error, 1, 1e-5);
}

// An enclosure that straddles the budget's edge on purpose.
TEST(JudgeForward, ListsRowsWithUndecidedElementsForRefinement) {
  JudgedRun r = mixed();
  const std::size_t row = row_index(r.p, 0, 1, 2);
  Enclosure& lse = r.answer.lse[row];
  lse.hi = lse.lo + 1;
  Enclosure& o = r.answer.o[row * 2 + 1];
  o.hi = o.lo + 1;
  const Judgement j = r.judge(Rows::live);
  EXPECT_EQ(j.verdict(), Verdict::undecided);
  EXPECT_EQ(j.undecided_rows, std::vector<std::size_t>{row});
  EXPECT_EQ(j.o.undecided, 1);
  EXPECT_EQ(j.lse.undecided, 1);
  EXPECT_EQ(j.worst()->verdict, Verdict::undecided);
  EXPECT_FALSE(j.worst()->reason.empty());
}

TEST(JudgeForward, CarriesWhatWasAssumed) {
  JudgedRun r = mixed();
  r.numerics.unit.reset();
  r.numerics.l_from.reset();
  EXPECT_EQ(r.judge(Rows::live).assumed, (std::vector<std::string>{"unit", "l_from"}));
}

TEST(JudgeForward, CountsUnboundedElementsAndJudgesTheirClassOnly) {
  JudgedRun r = mixed();
  r.numerics.exp2 = 0.75;  // an exp2 that may be off by as much explains every number
  Judgement j = r.judge(Rows::live);
  EXPECT_EQ(j.o.unbounded, j.o.judged);
  EXPECT_EQ(j.lse.unbounded, j.lse.judged);
  EXPECT_EQ(j.o.worst_ratio, 0);
  EXPECT_EQ(j.o.bounded, 0);
  r.result.o.view().set_bits(0, 0, 0, 0, 0x7c01);  // but no NaN
  j = r.judge(Rows::live);
  EXPECT_EQ(j.o.rejected, 1);
}

TEST(JudgeForward, MeasuresTheMeanErrorWithItsSign) {
  Problem p;
  p.n_q = 2;
  p.n_k = 1;
  p.d_v = 2;
  JudgedRun r = run_of(p, zero_inputs(p));  // O and LSE are 0
  const auto set_all = [&](std::uint64_t first, std::uint64_t second) {
    for (Index k = 0; k < 2; ++k) {
      r.result.o.view().set_bits(0, 0, 0, k, first);
      r.result.o.view().set_bits(0, 0, 1, k, second);
    }
  };
  set_all(1, 1);  // the smallest subnormal, twice the budget's half step
  const double up = r.judge(Rows::live).o.signed_mean();
  EXPECT_NEAR(up, 2, 1e-6);
  set_all(0x8001, 0x8001);
  EXPECT_EQ(r.judge(Rows::live).o.signed_mean(), -up);
  set_all(0x8001, 1);
  EXPECT_EQ(r.judge(Rows::live).o.signed_mean(), 0);
  EXPECT_EQ(r.judge(Rows::live).o.bounded, 4);
}

// 70,000 in f16: to nearest it is infinity, cut it is the largest value.
TEST(JudgeForward, AsksATruncatedOutputForTheLargestValueInsteadOfInfinity) {
  Problem p;
  p.in = Format::f32;
  p.out = Format::f16;
  Inputs inputs = zero_inputs(p);
  set(inputs.v, 0, 0, 0, 0, 70'000);
  JudgedRun r = run_of(p, inputs);
  const auto verdict_of = [&](std::uint64_t bits, Rounding rounding) {
    r.result.o.view().set_bits(0, 0, 0, 0, bits);
    r.numerics.o_rounding = rounding;
    return r.judge(Rows::live).verdict();
  };
  EXPECT_EQ(verdict_of(0x7c00, Rounding::nearest_even), Verdict::accept);
  EXPECT_EQ(verdict_of(0x7bff, Rounding::nearest_even), Verdict::reject);
  EXPECT_EQ(verdict_of(0x7c00, Rounding::toward_zero), Verdict::reject);
  EXPECT_EQ(verdict_of(0x7bff, Rounding::toward_zero), Verdict::accept);
  EXPECT_EQ(verdict_of(0xfbff, Rounding::toward_zero), Verdict::reject);
  EXPECT_EQ(verdict_of(0xfc00, Rounding::nearest_even), Verdict::reject);
}

// A subject that does not say how its output rounds may do either.
TEST(JudgeForward, TakesBothAnswersToOverflowFromAnOutputOfUnknownRounding) {
  Problem p;
  p.in = Format::f32;
  p.out = Format::f16;
  Inputs inputs = zero_inputs(p);
  set(inputs.v, 0, 0, 0, 0, 70'000);
  JudgedRun r = run_of(p, inputs);
  r.numerics.o_rounding.reset();
  for (const std::uint64_t bits : {0x7c00, 0x7bff}) {
    r.result.o.view().set_bits(0, 0, 0, 0, bits);
    EXPECT_EQ(r.judge(Rows::live).verdict(), Verdict::accept) << bits;
  }
  for (const std::uint64_t bits : {0x7bfc, 0xfc00, 0xfbff}) {
    r.result.o.view().set_bits(0, 0, 0, 0, bits);
    EXPECT_EQ(r.judge(Rows::live).verdict(), Verdict::reject) << bits;
  }
}

TEST(JudgeForward, BreaksTheContractOnBuffersOfAnotherShape) {
  const JudgedRun r = mixed();
  EXPECT_DEATH((void)judge_forward(r.p, r.answer, r.numerics, r.semantics, r.result.lse.view(),
                                   r.result.lse.view(), Rows::live),
               "o_extents");
}

}  // namespace
}  // namespace attest::judge_forward_test
