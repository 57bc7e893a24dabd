// Goal: budgets of gradients are the formulas of docs/error-analysis.md, section 8, evaluated
// right; claiming less never shrinks one; and each is the sum of its named terms.
#include "judge/gradient_budget.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "judge/forward_budget.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/gradient_by_hand.hpp"
#include "tests/judge/judged_gradients.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::gradient_budget_test {
namespace {

struct Sample {
  Problem p;
  Inputs inputs;
  Answer answer;
  BackwardAnswer exact;
};

Sample gaussian_sample(Index n_q, Index n_k, Index d, std::uint64_t seed, bool glse = false,
                       Format format = Format::f16, Index heads_q = 1) {
  Problem p;
  p.pass = Pass::bwd;
  p.heads_q = heads_q;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = d;
  p.in = p.out = format;
  p.scale = 0.7F;
  p.lse_gradient = glse;
  Inputs inputs = gaussian_inputs(p, seed);
  return {p, inputs, enclose_forward(p, inputs), enclose_backward(p, inputs)};
}

// The judgement of gradients that are all zero: only its budgets matter.
Judgement judge_zeros(const Sample& s, const Numerics& numerics, View view = View::end_to_end) {
  const Tensor dq(s.p.out, s.p.q_extents());
  const Tensor dk(s.p.out, s.p.k_extents());
  const Tensor dv(s.p.out, s.p.v_extents());
  return judge_backward(s.p, s.inputs, s.answer, s.exact, view, numerics, {},
                        {dq.view(), dk.view(), dv.view()}, Rows::live);
}

StoredOff stored_off(const Sample& s, const Numerics& numerics) {
  const Resolved arithmetic = resolve(numerics, s.p);
  StoredOff off;
  for (std::size_t i = 0; i < s.answer.rows.size(); ++i) {
    const RowBudget row = prepare_row(s.p, arithmetic, s.answer.rows[i]);
    off.lse.push_back(budget_of_lse(row, s.answer.lse[i]).total);
    off.o.emplace_back();
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.p.d_v); ++k) {
      const std::size_t element = i * static_cast<std::size_t>(s.p.d_v) + k;
      const Budget o = budget_of_o(row, s.answer.elements[element], s.answer.o[element]);
      long double total = o.total;
      for (const BudgetTerm& term : o.terms) {
        if (numerics.d_source == DSource::f32_o && term.name == "output rounding") {
          total -= term.value;
        }
      }
      off.o.back().push_back(total);
    }
  }
  return off;
}

void expect_by_hand(const TensorJudgement& tensor,
                    const std::vector<std::vector<long double>>& by_hand,
                    const Numerics& numerics) {
  const ElementJudgement& e = *tensor.worst;
  const auto hand =
      static_cast<double>(by_hand[static_cast<std::size_t>(e.i)][static_cast<std::size_t>(e.k)]);
  EXPECT_NEAR(e.budget.total / hand, 1, 1e-6)
      << name_of(e.tensor) << ' ' << e.i << ' ' << e.k << '\n'
      << to_string(numerics);
}

constexpr std::string_view kDeclarations[] = {
    "",
    "exponent=fused;c=log2e_first;exp2=0x1.4p-22;ftz=yes;exp_ftz=yes",
    "exponent=product_first;p_format=f16;p_in_ds=rounded;ds_format=f16;o_format=f16;o_ftz=yes",
    "exponent=scaled_max;d_source=p_dp;dq_sum=atomic:2;tile_q=3;p_format=bf16;p_truncated=yes",
    "d_source=p_dp;p_in_ds=rounded;p_format=f16;ds_format=bf16;o_format=f16;o_rounding=toward_zero",
    "d_source=f32_o;o_format=f16;ds_format=f16;p_format=f16;dq_sum=ordered:4",
    "unit=h100;p_format=f16;ds_format=f16;o_format=f16;dq_sum=one_chain:3;tile_q=2",
};

TEST(GradientBudget, EqualsTheFormulasByHand) {
  for (const bool glse : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Sample s = gaussian_sample(5, 7, 3, seed, glse);
      // Ordinary data: what a unit sees of a small number is another test's.
      for (Tensor* tensor : {&s.inputs.q, &s.inputs.k, &s.inputs.v, &s.inputs.dout}) {
        for_each(tensor->extents(), [&](Index b, Index h, Index row, Index c) {
          ASSERT_GT(std::fabs(tensor->view().value(b, h, row, c)), 0x1p-14);
        });
      }
      for (const std::string_view changes : kDeclarations) {
        const Numerics n = exact_backward(changes);
        const Judgement j = judge_zeros(s, n);
        const GradientBudgets hand = gradient_budgets_by_hand(s.p, s.inputs, n, stored_off(s, n));
        expect_by_hand(j.dq, hand.dq, n);
        expect_by_hand(j.dk, hand.dk, n);
        expect_by_hand(j.dv, hand.dv, n);
      }
    }
  }
}

// Values of one field, from the one that claims most to the one that claims nothing.
struct Ladder {
  std::string_view key;
  std::vector<std::string_view> values;
};

const std::vector<Ladder>& ladders() {
  static const std::vector<Ladder> all = {
      {"unit", {"fp32-seq", "v100", "unknown"}},
      {"scale_at", {"scores", "unknown"}},
      {"c", {"once", "log2e_first", "unknown"}},
      {"s_store", {"none", "f16", "bf16"}},
      {"exponent", {"fused", "product_first", "unknown"}},
      {"exponent", {"difference_first", "unknown"}},
      {"exp2", {"0x1p-24", "0x1p-22", "unknown"}},
      {"exp_ftz", {"no", "yes", "unknown"}},
      {"ftz", {"no", "yes", "unknown"}},
      {"p_format", {"f32", "f16"}},
      {"p_truncated", {"no", "yes", "unknown"}},
      {"d_source", {"f32_o", "unknown"}},
      {"d_source", {"stored_o", "unknown"}},
      {"d_source", {"p_dp", "unknown"}},
      {"p_in_ds", {"f32", "rounded", "unknown"}},
      {"ds_format", {"f32", "f16"}},
      {"dq_sum", {"ordered:16", "unknown"}},
      {"dq_sum", {"one_chain:16", "unknown"}},
      {"tile_q", {"16", "unknown"}},
      {"group_sum", {"one_chain", "unknown"}},
      {"o_format", {"f32", "f16"}},
      {"o_rounding", {"nearest", "toward_zero", "unknown"}},
      {"o_ftz", {"no", "yes", "unknown"}},
  };
  return all;
}

std::string entry(std::string_view key, std::string_view value) {
  return std::string(key) + "=" + std::string(value);
}

Numerics any_numerics(std::mt19937_64& random) {
  Numerics numerics = exact_backward();
  for (const Ladder& ladder : ladders()) {
    if (random() % 2 == 0) continue;
    numerics = changed(numerics, entry(ladder.key, ladder.values[random() % ladder.values.size()]));
  }
  return numerics;
}

int rank(Unbounded why) { return why == Unbounded::no ? 0 : why == Unbounded::magnitude ? 1 : 2; }

bool claims_no_more(const TensorJudgement& coarse, const TensorJudgement& fine) {
  const Budget& after = coarse.worst->budget;
  const Budget& before = fine.worst->budget;
  if (rank(after.unbounded) != rank(before.unbounded)) {
    return rank(after.unbounded) > rank(before.unbounded);
  }
  return after.unbounded != Unbounded::no || after.total >= before.total * (1 - 0x1p-40);
}

// One element in each tensor that is looked at, so that the worst is always the same.
TEST(GradientBudgetLaw, ClaimingLessNeverShrinksABudget) {
  std::mt19937_64 random(7);
  const Sample row = gaussian_sample(1, 20, 1, 3);
  const Sample key = gaussian_sample(9, 1, 1, 4, false, Format::f16, 2);
  for (int n = 0; n < 30; ++n) {
    const Numerics base = any_numerics(random);
    for (const View view : {View::end_to_end, View::stage_wise}) {
      for (const Ladder& ladder : ladders()) {
        std::optional<Judgement> row_before;
        std::optional<Judgement> key_before;
        for (const std::string_view value : ladder.values) {
          const Numerics numerics = changed(base, entry(ladder.key, value));
          Judgement of_row = judge_zeros(row, numerics, view);
          Judgement of_key = judge_zeros(key, numerics, view);
          if (row_before) {
            const std::string change = entry(ladder.key, value) + " in " + to_string(base);
            ASSERT_TRUE(claims_no_more(of_row.dq, row_before->dq)) << change;
            ASSERT_TRUE(claims_no_more(of_key.dk, key_before->dk)) << change;
            ASSERT_TRUE(claims_no_more(of_key.dv, key_before->dv)) << change;
          }
          row_before = std::move(of_row);
          key_before = std::move(of_key);
        }
      }
    }
  }
}

TEST(GradientBudgetLaw, TermsAreSharesOfTheTotal) {
  std::mt19937_64 random(8);
  const Sample s = gaussian_sample(6, 9, 2, 5, true, Format::bf16, 3);
  int bounded = 0;
  for (int n = 0; n < 100; ++n) {
    const Numerics numerics = any_numerics(random);
    const Judgement j = judge_zeros(s, numerics, n % 2 == 0 ? View::end_to_end : View::stage_wise);
    for (const TensorJudgement* tensor : {&j.dq, &j.dk, &j.dv}) {
      const Budget& budget = tensor->worst->budget;
      if (budget.unbounded != Unbounded::no) continue;
      ++bounded;
      double sum = 0;
      for (const BudgetTerm& term : budget.terms) {
        EXPECT_GE(term.value, 0) << term.name;
        sum += term.value;
      }
      EXPECT_LE(sum, budget.total);
      EXPECT_GE(sum, budget.total * (1 - 0x1p-40)) << to_string(numerics);
    }
  }
  EXPECT_GT(bounded, 200);
}

// A unit that truncates sees a subnormal operand as large as the smallest normal one.
TEST(GradientBudget, CountsSubnormalOperandsAtTheirFloor) {
  Sample s = gaussian_sample(3, 5, 2, 6);
  for (Tensor* tensor : {&s.inputs.k, &s.inputs.q, &s.inputs.dout}) {
    for_each(tensor->extents(),
             [&](Index b, Index h, Index row, Index c) { set(*tensor, b, h, row, c, 0x1p-22); });
  }
  s.exact = enclose_backward(s.p, s.inputs);
  s.answer = enclose_forward(s.p, s.inputs);
  const auto accumulation = [&](std::string_view unit, OutputTensor tensor) {
    Judgement j =
        judge_zeros(s, exact_backward("p_format=f16;ds_format=f16;" + entry("unit", unit)));
    for (const BudgetTerm& term : j.of(tensor).worst->budget.terms) {
      if (term.name == "accumulation") return term.value;
    }
    return 0.0;
  };
  for (const OutputTensor tensor : {OutputTensor::dq, OutputTensor::dk, OutputTensor::dv}) {
    EXPECT_GT(accumulation("h100", tensor), 50 * accumulation("fp32-seq", tensor));
  }
}

}  // namespace
}  // namespace attest::gradient_budget_test
