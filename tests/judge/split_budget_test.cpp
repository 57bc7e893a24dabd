// Goal: the budget of split keys is no wider than it must be: each term of section 9 is needed by a
// correct kernel, one part costs nothing, and undeclared parts are no parts.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>

#include "tests/judge/split_judged.hpp"

namespace attest::split_budget_test {
namespace {

void expect_accepted(const Problem& p, const Inputs& inputs, const Judgement& judgement) {
  EXPECT_EQ(judgement.verdict(), Verdict::accept) << describe(p, inputs, judgement);
}

// The only element of a tensor is accepted, and would not be without the term `name`.
void expect_needs(const TensorJudgement& tensor, std::string_view name) {
  ASSERT_EQ(tensor.judged, 1);
  ASSERT_EQ(tensor.unbounded, 0);
  const ElementJudgement& element = *tensor.worst;
  EXPECT_LE(element.error, element.budget.total);
  EXPECT_GT(element.error, element.budget.total - term_of(element.budget, name)) << name;
}

TEST(SplitBudget, WithoutDeclaredPartsIsTheUnsplitOne) {
  const Problem p = scored_problem(3);
  const Inputs inputs = scored_inputs(p, {0.5, -2, 1});
  const Answer answer = enclose_forward(p, inputs);
  const RowBudgets unsplit = budgets_of(p, answer, sharpest());
  // A part for all keys, or one key seen: the merge weighs it by 1.
  for (const std::string_view change : {"split=none", "split=none;part_k=1;combine=exp_lse",
                                        "split=normalised:f32;part_k=4;combine=exp_lse"}) {
    const RowBudgets budgets = budgets_of(p, answer, changed(sharpest(), change));
    EXPECT_EQ(budgets.o.total, unsplit.o.total) << change;
    EXPECT_EQ(budgets.lse.total, unsplit.lse.total) << change;
  }
  const RowBudgets two = budgets_of(p, answer, split_into(2));
  EXPECT_GT(two.o.total, unsplit.o.total);
  EXPECT_GT(two.lse.total, unsplit.lse.total);
  // What is not declared of parts costs the most and is said.
  const Numerics open = changed(sharpest(), "split=normalised:f32;part_k=unknown;combine=unknown");
  EXPECT_EQ(resolve(open, p).assumed, (std::vector<std::string>{"part_k", "combine"}));
  EXPECT_TRUE(resolve(sharpest(), p).assumed.empty());
}

TEST(SplitBudget, CountsThePartsThatHoldALiveKey) {
  RowMoments row;
  const auto parts_of = [&](Index first, Index last, Index part_k, Index tile_k) {
    row.first_live = first;
    row.last_live = last;
    row.live_keys = last - first + 1;
    Resolved a;
    a.part_k = part_k;
    a.tile_k = tile_k;
    const LiveParts live = live_parts(a, row);
    return std::array{live.parts, live.keys, live.tiles};
  };
  using Counts = std::array<Index, 3>;
  EXPECT_EQ(parts_of(0, 31, 32, 16), (Counts{1, 32, 2}));
  EXPECT_EQ(parts_of(0, 32, 32, 16), (Counts{2, 32, 2}));
  EXPECT_EQ(parts_of(31, 32, 32, 16), (Counts{2, 2, 2}));  // one tile each, but who knows
  EXPECT_EQ(parts_of(32, 63, 32, 16), (Counts{1, 32, 2}));
  EXPECT_EQ(parts_of(40, 40, 32, 16), (Counts{1, 1, 1}));
  EXPECT_EQ(parts_of(0, 99, 10, 16), (Counts{10, 10, 2}));  // parts that start within a tile
  EXPECT_EQ(parts_of(0, 99, 1000, 16), (Counts{1, 100, 7}));
}

// Equal scores of 1,000 in two parts: the LSE of the whole is rounded to 2^-14, and weights of
// exp(L_s - L) do not sum to 1. Without the term O would be off by many budgets.
TEST(SplitBudget, ExpLseNeedsTheMagnitudeOfLse) {
  double most = 0;
  for (int n = 0; n < 64; ++n) {
    Problem p = scored_problem(2, Format::f32);
    p.out = Format::f32;
    Inputs inputs = zero_inputs(p);
    fill(inputs.q, 1);
    fill(inputs.k, 1000 + n / 16.0);
    fill(inputs.v, 1);
    const Numerics declared = split_into(1, "combine=exp_lse");
    const Judgement judgement = judge_emulated(p, inputs, declared);
    expect_accepted(p, inputs, judgement);
    const ElementJudgement& o = *judgement.o.worst;
    most = std::max(most, o.error / (o.budget.total - term_of(o.budget, "division")));
    // A division cancels it, and its budget has no such term.
    const Judgement divided = judge_emulated(p, inputs, split_into(1));
    expect_accepted(p, inputs, divided);
    EXPECT_LT(divided.o.worst->budget.total, 0x1p-20);
  }
  std::cout << "exp_lse at |L| = 1,000, without its term: " << most << " budgets\n";
  EXPECT_GT(most, 10);
}

TEST(SplitBudget, NarrowPartialsNeedTheirRounding) {
  Problem p = scored_problem(2, Format::f32);
  p.out = Format::f32;
  Inputs inputs = scored_inputs(p, {0, 0});
  set(inputs.v, 0, 0, 0, 0, 1 + 0x1p-11);  // a tie of f16, rounded down
  set(inputs.v, 0, 0, 1, 0, 1 + 0x1p-11);
  const Judgement judgement = judge_emulated(p, inputs, split_into(1, "split=normalised:f16"));
  expect_accepted(p, inputs, judgement);
  expect_needs(judgement.o, "partial rounding");
  EXPECT_GT(judgement.o.worst_ratio, 0.9);
}

// A part e^-87.5 below the other, with a value of 6e37: its weight is flushed.
TEST(SplitBudget, FlushedPartsOfHugeValuesNeedAnUnderflow) {
  Problem p = scored_problem(2, Format::bf16);
  p.out = Format::f32;
  Inputs inputs = scored_inputs(p, {0, -87.5});
  set(inputs.v, 0, 0, 0, 0, 0);
  set(inputs.v, 0, 0, 1, 0, 6e37);
  const Judgement judgement = judge_emulated(p, inputs, split_into(1, "exp_ftz=yes"));
  EXPECT_EQ(judgement.o.worst->observed, 0);
  EXPECT_GT(judgement.o.worst->exact.lo, 0.5);
  expect_accepted(p, inputs, judgement);
  // It is lost once, inside its part or in the merge: either term would do here.
  const ElementJudgement& o = *judgement.o.worst;
  EXPECT_GT(o.error, o.budget.total - term_of(o.budget, "part underflow") -
                         term_of(o.budget, "P underflow"));
  // From a kernel that declares no flush, it is wrong.
  const Numerics gradual = split_into(1);
  const Result flushed = emulate_split(p, inputs, split_into(1, "exp_ftz=yes"));
  EXPECT_EQ(judge_forward(p, enclose_forward(p, inputs), gradual, Semantics{}, flushed.o.view(),
                          flushed.lse.view(), Rows::live)
                .verdict(),
            Verdict::reject);
}

// In the frame of its own maximum a part far below the row's adds up 256 values of 2^120: an
// infinity, and a weight of 0 makes a NaN of it. In one pass after the larger score they fade.
TEST(SplitBudget, APartIsComputedInItsOwnFrame) {
  Problem p = scored_problem(512, Format::bf16);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  for (Index j = 0; j < 512; ++j) {
    set(inputs.k, 0, 0, j, 0, j < 256 ? 1000 : 0);
    set(inputs.v, 0, 0, j, 0, j < 256 ? 1 : 0x1p120);
  }
  const Judgement judgement = judge_emulated(p, inputs, split_into(256));
  EXPECT_EQ(judgement.verdict(), Verdict::accept);
  EXPECT_TRUE(std::isnan(judgement.o.worst->observed));
  EXPECT_EQ(judgement.o.worst->budget.unbounded, Unbounded::range);
  EXPECT_EQ(budgets_of(p, enclose_forward(p, inputs), sharpest()).o.unbounded, Unbounded::no);
}

// A part of 65,504s, with P rounded up, is an infinity in f16, though its weight is nothing.
TEST(SplitBudget, ANarrowPartialMayOverflowWhereTheWholeIsSmall) {
  int infinities = 0;
  for (int n = 0; n < 50; ++n) {
    Problem p = scored_problem(128);
    Inputs inputs = zero_inputs(p);
    fill(inputs.q, 1);
    for (Index j = 0; j < 128; ++j) {
      set(inputs.k, 0, 0, j, 0, j < 64 ? 300 : j == 64 ? 0 : -0.625 - n * 0x1p-10);
      set(inputs.v, 0, 0, j, 0, j < 64 ? 1 : 65504);
    }
    const Numerics declared =
        split_into(64, "split=normalised:f16;p_format=f16;o_format=f16;tile_k=64");
    const Judgement judgement = judge_emulated(p, inputs, declared);
    EXPECT_EQ(judgement.verdict(), Verdict::accept);
    if (!std::isnan(judgement.o.worst->observed)) continue;
    ++infinities;
    EXPECT_EQ(judgement.o.worst->budget.unbounded, Unbounded::range);
    // Values a little smaller cannot, and are judged by their number.
    for (Index j = 64; j < 128; ++j) set(inputs.v, 0, 0, j, 0, 65000);
    const Judgement smaller = judge_emulated(p, inputs, declared);
    EXPECT_EQ(smaller.verdict(), Verdict::accept);
  }
  EXPECT_GT(infinities, 5);
}

// What the moments of the whole row cost beside those of each part: a partial's rounding is charged
// on sum pi |v| instead of sum omega_s |O_s|.
TEST(SplitBudget, MeasuresWhatPartsOwnMomentsWouldSave) {
  for (const Index part_k : {16, 64}) {
    Problem p;
    p.n_k = 256;
    p.d_qk = p.d_v = 64;
    p.scale = default_scale(64);
    const Inputs inputs = gaussian_inputs(p, 3);
    const Answer answer = enclose_forward(p, inputs);
    double whole = 0, own = 0;
    for (std::size_t k = 0; k < 64; ++k) whole += answer.elements[k].sum_pi_abs_v;
    for (Index first = 0; first < p.n_k; first += part_k) {
      Problem part = p;  // keys first .. first + part_k - 1 alone
      part.align = Align::top_left;
      part.left = -first;
      part.right = first + part_k - 1;
      const Answer of_part = enclose_forward(part, inputs);
      const double omega = std::exp(of_part.lse[0].hi - answer.lse[0].lo);
      for (std::size_t k = 0; k < 64; ++k) own += omega * max_abs(of_part.o[k]);
    }
    EXPECT_LE(own, whole);
    Numerics n = split_into(part_k, "split=normalised:f16;p_format=f16;o_format=f16");
    const Resolved split = resolve(n, p), unsplit = resolve(changed(n, "split=none"), p);
    const RowBudget a = prepare_row(p, split, answer.rows[0]);
    const RowBudget b = prepare_row(p, unsplit, answer.rows[0]);
    double with = 0, without = 0, rounding = 0;
    for (std::size_t k = 0; k < 64; ++k) {
      const Budget budget = budget_of_o(a, answer.elements[k], answer.o[k]);
      with += budget.total;
      rounding += term_of(budget, "partial rounding");
      without += budget_of_o(b, answer.elements[k], answer.o[k]).total;
    }
    std::cout << "parts of " << part_k << ": f16 partials, sum pi|v| over sum omega|O_s| "
              << whole / own << "; budget " << with / without << " of the unsplit one, "
              << (with - rounding * (1 - own / whole)) / without << " with parts' own moments\n";
  }
}

}  // namespace
}  // namespace attest::split_budget_test
