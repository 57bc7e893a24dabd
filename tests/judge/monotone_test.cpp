// Goal: a declaration that claims less never gets a smaller budget. Else a subject could buy a
// rejection away by saying less, or be rejected for honesty.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"

namespace attest::monotone_test {
namespace {

// Of one field, the last of `key`: each value claims no more than the one before it.
struct Ladder {
  std::string_view key;
  std::vector<std::string_view> values;
};

const std::vector<Ladder>& ladders() {
  static const std::vector<Ladder> all = {
      {"unit", {"fp32-seq", "a100", "v100", "device", "unknown"}},
      {"unit", {"exact-rn", "h100", "a100", "v100", "device", "unknown"}},
      {"scale_at", {"scores", "unknown"}},
      {"scale_at", {"scores", "q:bf16"}},
      {"c", {"once", "log2e_first", "unknown"}},
      {"s_store", {"none", "f32", "bf16"}},
      {"s_store", {"none", "f32", "f16"}},
      {"exponent", {"difference_first", "fused", "unknown"}},
      {"exponent", {"difference_first", "product_first", "unknown"}},
      {"exponent", {"scaled_max", "unknown"}},
      {"exp2", {"0x1p-24", "0x1p-22", "0x1p-15", "0x1p-8"}},
      {"exp_ftz", {"no", "yes", "unknown"}},
      {"p_format", {"f32", "f16"}},
      {"p_format", {"f32", "bf16"}},
      {"p_truncated", {"no", "yes", "unknown"}},
      {"l_from", {"rounded", "unknown"}},
      {"l_from", {"unrounded", "unknown"}},
      // On units that add blocks a smaller tile may also say that keys share one.
      {"unit=fp32-seq;tile_k", {"16", "8", "4", "1"}},
      {"unit=device;tile_k", {"7", "1"}},
      {"divide", {"exact", "reciprocal", "approx", "unknown"}},
      {"o_format", {"f32", "f16"}},
      {"o_format", {"f32", "bf16"}},
      {"o_rounding", {"nearest", "toward_zero", "unknown"}},
      {"lse_format", {"f32", "f16"}},
      {"lse_format", {"f32", "bf16"}},
      {"log", {"0x1p-24", "0x1p-22", "0x1p-10"}},
      {"ftz", {"no", "yes", "unknown"}},
      {"o_ftz", {"no", "yes", "unknown"}},
  };
  return all;
}

std::string entry(std::string_view key, std::string_view value) {
  return std::string(key) + "=" + std::string(value);
}

// Any rung of any ladder, for every field.
Numerics arbitrary_numerics() {
  Numerics numerics = sharpest();
  for (const Ladder& ladder : ladders()) {
    if (*rc::gen::arbitrary<bool>()) continue;
    const auto n = *rc::gen::inRange<std::size_t>(0, ladder.values.size());
    numerics = changed(numerics, entry(ladder.key, ladder.values[n]));
  }
  return numerics;
}

struct Sample {
  Problem problem;
  Answer answer;
};

Sample arbitrary_sample() {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  Problem p;
  p.n_k = *rc::gen::inRange<Index>(1, 40);
  p.d_qk = *rc::gen::inRange<Index>(1, 6);
  p.in = *rc::gen::element(Format::f32, Format::f16, Format::bf16);
  p.out = *rc::gen::element(Format::f32, Format::f16, Format::bf16);
  p.scale = std::ldexp(1.0f, *rc::gen::inRange(-8, 12));
  Inputs inputs = gaussian_inputs(p, seed);
  const double spread = std::ldexp(1.0, *rc::gen::inRange(-4, 14));
  for_each(p.q_extents(), [&](Index b, Index h, Index row, Index column) {
    set(inputs.q, b, h, row, column, inputs.q.view().value(b, h, row, column) * spread);
  });
  return {p, enclose_forward(p, inputs)};
}

int rank(Unbounded why) { return why == Unbounded::no ? 0 : why == Unbounded::magnitude ? 1 : 2; }

// Roundings of the budget itself leave a few units of binary64 between equals.
bool claims_no_more(const Budget& coarse, const Budget& fine) {
  if (rank(coarse.unbounded) != rank(fine.unbounded)) {
    return rank(coarse.unbounded) > rank(fine.unbounded);
  }
  return coarse.unbounded != Unbounded::no || coarse.total >= fine.total * (1 - 0x1p-42);
}

RC_GTEST_PROP(MonotoneLaw, ClaimingLessNeverShrinksABudget, ()) {
  const Sample sample = arbitrary_sample();
  const Numerics base = arbitrary_numerics();
  for (const Ladder& ladder : ladders()) {
    std::optional<RowBudgets> before;
    for (const std::string_view value : ladder.values) {
      const Numerics numerics = changed(base, entry(ladder.key, value));
      const RowBudgets budgets = budgets_of(sample.problem, sample.answer, numerics);
      if (before &&
          !(claims_no_more(budgets.o, before->o) && claims_no_more(budgets.lse, before->lse))) {
        RC_LOG() << to_string(sample.problem) << '\n'
                 << to_string(base) << '\n'
                 << entry(ladder.key, value) << ": O " << before->o.total << " -> "
                 << budgets.o.total << ", LSE " << before->lse.total << " -> " << budgets.lse.total
                 << '\n';
        RC_FAIL("a budget shrank");
      }
      before = budgets;
    }
  }
}

RC_GTEST_PROP(BudgetLaw, TermsAreSharesOfTheTotal, ()) {
  const Sample sample = arbitrary_sample();
  const RowBudgets budgets = budgets_of(sample.problem, sample.answer, arbitrary_numerics());
  for (const Budget& budget : {budgets.o, budgets.lse}) {
    if (budget.unbounded != Unbounded::no) {
      RC_ASSERT(budget.terms.empty());
      continue;
    }
    RC_ASSERT(std::isfinite(budget.total));
    double sum = 0;
    for (const BudgetTerm& term : budget.terms) {
      RC_ASSERT(term.value >= 0);
      sum += term.value;
    }
    RC_ASSERT(sum <= budget.total * (1 + 0x1p-48));
    RC_ASSERT(sum >= budget.total * (1 - 0x1p-40));
  }
}

}  // namespace
}  // namespace attest::monotone_test
