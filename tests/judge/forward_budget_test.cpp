// Goal: each named term of a budget is what its formula says, for every kind of declaration, from
// the oracle's moments as well as by hand from the data; the terms add up to the whole.
#include "judge/forward_budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/judge/budget_by_hand.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"

namespace attest::forward_budget_test {
namespace {

struct Sample {
  const char* name;
  Problem problem;
  Inputs inputs;
  Answer answer;
};

// One row of 48 keys, three tiles; `offset` is added to one coordinate of q and of every k, which
// moves all scores together.
Sample sample(const char* name, Format in, Format out, std::uint64_t seed, double offset) {
  Problem p;
  p.n_k = 48;
  p.d_qk = 16;
  p.in = in;
  p.out = out;
  p.scale = 0x1.8p-2f;
  Inputs inputs = gaussian_inputs(p, seed);
  if (offset != 0) {
    set(inputs.q, 0, 0, 0, 0, offset);
    for (Index j = 0; j < p.n_k; ++j) set(inputs.k, 0, 0, j, 0, offset);
  }
  Answer answer = enclose_forward(p, inputs);
  return {name, p, inputs, answer};
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      sample("gaussian f16", Format::f16, Format::f16, 1, 0),
      sample("gaussian bf16", Format::bf16, Format::f32, 2, 0),
      sample("offset", Format::f32, Format::f32, 3, 16),
  };
  return all;
}

// What differs: second-order terms, of relative size u, on which both sides need not agree.
constexpr double kSecondOrder = 2e-6;

void expect_terms(const Budget& budget, const std::map<std::string, long double>& by_hand,
                  const std::string& where) {
  ASSERT_EQ(budget.unbounded, Unbounded::no) << where;
  double sum = 0;
  for (const BudgetTerm& term : budget.terms) {
    const auto hand = by_hand.find(std::string(term.name));
    const double due = hand == by_hand.end() ? 0 : static_cast<double>(hand->second);
    // 2^-21.41 is rounded up to eight bits.
    const double most = due * (1 + (term.name == "log" ? 2e-3 : kSecondOrder));
    EXPECT_GE(term.value, due * (1 - kSecondOrder)) << where << ": " << term.name;
    EXPECT_LE(term.value, most) << where << ": " << term.name;
    sum += term.value;
  }
  for (const auto& [name, value] : by_hand) {
    EXPECT_TRUE(value == 0 || term_of(budget, name) > 0) << where << ": " << name;
  }
  EXPECT_GE(budget.total, sum * (1 - 0x1p-50)) << where;
  EXPECT_LE(budget.total, sum * (1 + 0x1p-40)) << where;
}

void expect_by_hand(const std::string& changes) {
  for (const Sample& s : samples()) {
    const Numerics n = changed(sharpest(), changes);
    const RowBudgets budgets = budgets_of(s.problem, s.answer, n);
    const HandBudget hand = budget_by_hand(s.problem, s.inputs, n);
    const std::string where = std::string(s.name) + ", " + changes;
    expect_terms(budgets.o, hand.o, where + ", O");
    expect_terms(budgets.lse, hand.lse, where + ", LSE");
  }
}

TEST(ForwardBudget, IsWhatEachTermSaysForTheSharpestDeclaration) { expect_by_hand(""); }

TEST(ForwardBudget, IsWhatEachTermSaysForEveryExponentForm) {
  for (const char* form : {"difference_first", "scaled_max", "product_first", "fused"}) {
    expect_by_hand(std::string("exponent=") + form);
    // In one tile the shift of the maximum is common to all weights.
    expect_by_hand(std::string("tile_k=48;c=log2e_first;exponent=") + form);
  }
}

// Corollary 6.1; the first tile's maximum cannot lag.
TEST(ForwardBudget, IsWhatEachTermSaysForAMaximumThatLags) {
  for (const char* form : {"difference_first", "scaled_max", "product_first", "fused"}) {
    expect_by_hand(std::string("max=lazy:8;exponent=") + form);
    expect_by_hand(std::string("max=lazy:14;exp_ftz=yes;ftz=yes;log=approx;exponent=") + form);
    expect_by_hand(std::string("max=lazy:8;tile_k=48;exponent=") + form);
  }
}

TEST(ForwardBudget, IsWhatEachTermSaysForEveryUnit) {
  for (const char* unit : {"exact-rn", "v100", "a100", "h100"}) {
    expect_by_hand(std::string("p_format=f16;unit=") + unit);
    expect_by_hand(std::string("p_format=bf16;tile_k=8;unit=") + unit);
  }
}

TEST(ForwardBudget, IsWhatEachTermSaysForAScaledQ) {
  expect_by_hand("scale_at=q:f32");
  expect_by_hand("scale_at=q:bf16;ftz=yes");
}

// A Q that its scale pushes below 2^-14: f16 keeps fewer bits of it, and units see it as 2^-14.
TEST(ForwardBudget, IsWhatEachTermSaysForAScaledQThatUnderflows) {
  Problem p;
  p.n_k = 32;
  p.d_qk = 16;
  p.scale = 0x1p-16f;
  Inputs inputs = gaussian_inputs(p, 5);
  for_each(p.k_extents(), [&](Index b, Index h, Index row, Index column) {
    set(inputs.k, b, h, row, column, inputs.k.view().value(b, h, row, column) * 64);
  });
  const Answer answer = enclose_forward(p, inputs);
  for (const char* changes : {"scale_at=q:f16", "scale_at=q:f16;unit=v100;p_format=f16"}) {
    const Numerics n = changed(sharpest(), changes);
    const RowBudgets budgets = budgets_of(p, answer, n);
    const HandBudget hand = budget_by_hand(p, inputs, n);
    expect_terms(budgets.o, hand.o, std::string(changes) + ", O");
    expect_terms(budgets.lse, hand.lse, std::string(changes) + ", LSE");
  }
}

TEST(ForwardBudget, IsWhatEachTermSaysForStoredScores) {
  expect_by_hand("s_store=f32");
  expect_by_hand("s_store=f16");
  expect_by_hand("s_store=bf16;exponent=scaled_max");
}

TEST(ForwardBudget, IsWhatEachTermSaysForEveryP) {
  for (const char* p : {"f16", "bf16"}) {
    for (const char* rest : {"", ";p_truncated=yes", ";l_from=rounded",
                             ";p_normalised=before;divide=approx", ";exp_ftz=yes;exp2=0x1.4p-22"}) {
      expect_by_hand(std::string("p_format=") + p + rest);
    }
  }
}

TEST(ForwardBudget, IsWhatEachTermSaysForTheRowSumAndTheEnd) {
  expect_by_hand("l_chain=lanes:4");
  expect_by_hand("divide=reciprocal;log=0x1p-20");
  expect_by_hand("divide=approx;log=approx");
  expect_by_hand("o_format=f16;o_rounding=toward_zero;lse_format=f16");
  expect_by_hand("o_format=bf16;o_ftz=yes;lse_format=bf16");
}

TEST(ForwardBudget, IsWhatEachTermSaysUnderFlushToZero) {
  expect_by_hand("ftz=yes;exp_ftz=yes;o_ftz=yes");
  expect_by_hand("ftz=yes;exp_ftz=yes;p_format=f16;l_from=rounded;exponent=fused");
}

// Underflow is all there is to some budgets: tiny inputs under a huge scale, and tiny values.
TEST(ForwardBudget, IsWhatEachTermSaysWhereProductsUnderflow) {
  Problem p;
  p.n_k = 32;
  p.d_qk = 16;
  p.in = Format::bf16;
  p.out = Format::f32;
  p.scale = 0x1p112f;
  Inputs inputs = gaussian_inputs(p, 4);
  const auto shrink = [](Tensor& tensor, double factor) {
    for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
      set(tensor, b, h, row, column, tensor.view().value(b, h, row, column) * factor);
    });
  };
  shrink(inputs.q, 0x1p-57);
  shrink(inputs.k, 0x1p-57);
  shrink(inputs.v, 0x1p-120);
  const Answer answer = enclose_forward(p, inputs);
  for (const char* changes : {"ftz=no", "ftz=yes;exp_ftz=yes"}) {
    const Numerics n = changed(sharpest(), changes);
    const RowBudgets budgets = budgets_of(p, answer, n);
    const HandBudget hand = budget_by_hand(p, inputs, n);
    expect_terms(budgets.o, hand.o, std::string(changes) + ", O");
    expect_terms(budgets.lse, hand.lse, std::string(changes) + ", LSE");
  }
  const auto scores_of = [&](const char* changes) {
    return term_of(budgets_of(p, answer, changed(sharpest(), changes)).lse, "scores");
  };
  EXPECT_GT(scores_of("ftz=yes"), 20 * scores_of("ftz=no"));
}

TEST(ForwardBudget, TakesTheLargerViewOfAnUnknownRowSum) {
  for (const Sample& s : samples()) {
    const auto of = [&](const char* l_from) {
      return budgets_of(s.problem, s.answer,
                        changed(sharpest(), std::string("p_format=f16;l_from=") + l_from));
    };
    EXPECT_EQ(of("unknown").o.total, std::max(of("rounded").o.total, of("unrounded").o.total));
    EXPECT_EQ(of("unknown").lse.total,
              std::max(of("rounded").lse.total, of("unrounded").lse.total));
    EXPECT_GT(of("rounded").lse.total, of("unrounded").lse.total + 0x1p-12);
  }
}

// An unknown form covers each known one.
TEST(ForwardBudget, OfAnUnknownExponentCoversEveryForm) {
  for (const Sample& s : samples()) {
    const auto unknown = budgets_of(s.problem, s.answer, changed(sharpest(), "exponent=unknown"));
    for (const char* form : {"difference_first", "scaled_max", "product_first", "fused"}) {
      const auto known =
          budgets_of(s.problem, s.answer, changed(sharpest(), std::string("exponent=") + form));
      EXPECT_LE(known.o.total, unknown.o.total) << form;
      EXPECT_LE(known.lse.total, unknown.lse.total) << form;
    }
  }
}

TEST(ForwardBudget, OfOneKeyLeavesNothingButRoundingsOfItsValue) {
  Problem p;
  p.out = Format::f32;
  Inputs inputs = zero_inputs(p);
  set(inputs.q, 0, 0, 0, 0, 3);
  set(inputs.k, 0, 0, 0, 0, 5);
  set(inputs.v, 0, 0, 0, 0, 7);
  const RowBudgets budgets = budgets_of(p, enclose_forward(p, inputs), sharpest());
  for (const char* name : {"scores", "exponent", "exp2", "P rounding", "row sum"}) {
    EXPECT_LT(term_of(budgets.o, name), 1e-50) << name;  // but for the enclosure's width
  }
  EXPECT_NEAR(budgets.o.total, 7 * 2 * 0x1p-24, 1e-11);  // P V and the division
  // An approximate logarithm is off near 1 by an absolute amount.
  const RowBudgets approx =
      budgets_of(p, enclose_forward(p, inputs), changed(sharpest(), "log=approx"));
  EXPECT_GE(term_of(approx.lse, "log"), std::exp2(-21.41));
  EXPECT_LE(term_of(approx.lse, "log"), std::exp2(-21.40));
}

// Weights that may be off by e^(2 rho) may lift a sum of values over binary32's end.
TEST(ForwardBudget, WidensThePeakByWhatWeightsMayBeOff) {
  const Problem p;
  RowMoments row;
  row.live_keys = 64;
  row.last_live = 63;
  row.max_score = {0, 0};
  row.sum_exp = {1, 1};
  row.max_products = 1;
  row.sum_pi[kOne] = row.max_near[kOne] = 1;
  ElementMoments element;
  element.sum_abs_v = 0x1p127;
  const auto why = [&](double peak, double a) {
    row.max_near[kA] = row.sum_pi[kA] = a;
    element.peak_abs = peak;
    const Resolved arithmetic = resolve(sharpest(), p);
    return budget_of_o(prepare_row(p, arithmetic, row), element, {0, 0}).unbounded;
  };
  const double off = 0.25;  // rho, but for roundings
  EXPECT_EQ(why(0x1p127 * 0.999, 0), Unbounded::no);
  EXPECT_EQ(why(0x1p127, 0), Unbounded::range);
  EXPECT_EQ(why(0x1p127 * std::exp(-2 * off) * 0.999, off * 0x1p24), Unbounded::no);
  EXPECT_EQ(why(0x1p127 * std::exp(-2 * off) * 1.001, off * 0x1p24), Unbounded::range);
}

}  // namespace
}  // namespace attest::forward_budget_test
