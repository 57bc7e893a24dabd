// Goal: budgets are sharp enough to be worth having: near the rounding that is declared, and below
// the smallest faults that a budget alone can be asked to reject.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "tests/judge/judged.hpp"
#include "tests/kernels/small_faults.hpp"

namespace attest::sharpness_test {
namespace {

Problem gaussian_problem(Format in, Format out, Index n_q) {
  Problem p;
  p.n_q = n_q;
  p.n_k = 256;
  p.d_qk = p.d_v = 64;
  p.in = in;
  p.out = out;
  p.scale = default_scale(64);
  return p;
}

double largest(const Tensor& tensor) {
  double most = 0;
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    most = std::max(most, std::fabs(tensor.view().value(b, h, row, column)));
  });
  return most;
}

// The largest budgets of O and LSE over all elements of one Gaussian problem.
struct Largest {
  double o_over_v = 0;
  double lse = 0;
};

Largest largest_budgets(const Problem& p, std::uint64_t seed, const Numerics& numerics) {
  const Inputs inputs = gaussian_inputs(p, seed);
  const Answer answer = enclose_forward(p, inputs);
  const Resolved arithmetic = resolve(numerics, p);
  const double v = largest(inputs.v);
  Largest found;
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    const RowBudget budget = prepare_row(p, arithmetic, answer.rows[row]);
    const Budget lse = budget_of_lse(budget, answer.lse[row]);
    EXPECT_EQ(lse.unbounded, Unbounded::no);
    found.lse = std::max(found.lse, lse.total);
    for (std::size_t k = 0; k < 64; ++k) {
      const std::size_t element = row * 64 + k;
      const Budget o = budget_of_o(budget, answer.elements[element], answer.o[element]);
      EXPECT_EQ(o.unbounded, Unbounded::no);
      found.o_over_v = std::max(found.o_over_v, o.total / v);
    }
  }
  return found;
}

TEST(Sharpness, StaysBelowTwoIn100000WithBinary32PAndOutput) {
  for (const Format in : {Format::f16, Format::bf16}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Problem p = gaussian_problem(in, Format::f32, 16);
      const Largest found = largest_budgets(p, seed, numerics_of({.p_format = Format::f32}, p));
      EXPECT_LT(found.o_over_v, 2e-5);
      EXPECT_LT(found.lse, 5e-5);
      std::cout << shape_of(in).name << " seed " << seed << ": O " << found.o_over_v
                << " of max|v|, LSE " << found.lse << '\n';
    }
  }
}

// What declaring a unit buys, with the row sum in four lanes and an approximate division.
TEST(Sharpness, FollowsTheDeclaredUnit) {
  const Problem p = gaussian_problem(Format::f16, Format::f32, 4);
  Numerics n = numerics_of({.p_format = Format::f32}, p);
  n.divide = Divide::approx;
  n.l_chain = LChain{4};
  std::map<Unit, double> o;
  for (const Unit unit : kUnits) {
    n.unit = unit;
    const Largest found = largest_budgets(p, 4, n);
    o[unit] = found.o_over_v;
    std::cout << name_of(unit) << ": O " << found.o_over_v << " of max|v|, LSE " << found.lse
              << '\n';
  }
  EXPECT_LT(o[Unit::exact_rn], o[Unit::h100]);
  EXPECT_LT(o[Unit::h100], o[Unit::fp32_seq]);
  EXPECT_LT(o[Unit::fp32_seq], o[Unit::a100]);
  EXPECT_LT(o[Unit::a100], 2e-5);
  EXPECT_LT(o[Unit::a100], o[Unit::v100]);
  EXPECT_LT(o[Unit::v100], o[Unit::device]);
}

struct Seen {
  int rows = 0;
  int lse_rows = 0;  // with a rejected LSE
  Verdict verdict = Verdict::accept;
};

Seen look(const Subject& fault, const Problem& p, const Inputs& inputs, const Answer& answer) {
  const Numerics declared = fault.numerics(p, Unit::fp32_seq);
  const Judged judged = judge_run(fault, p, inputs, answer, declared);
  Seen seen;
  seen.rows = static_cast<int>(judged.judgement.lse.judged);
  seen.lse_rows = static_cast<int>(judged.judgement.lse.rejected);
  seen.verdict = judged.judgement.verdict();
  return seen;
}

// 16-bit P and output, as the faults' subjects declare by default.
TEST(Sharpness, RejectsEachSmallFaultInBothFormats) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const Problem p = gaussian_problem(format, format, 40);
    const Inputs inputs = gaussian_inputs(p, 7);
    const Answer answer = enclose_forward(p, inputs);
    EXPECT_EQ(look(*make_plain("plain"), p, inputs, answer).verdict, Verdict::accept);
    const auto faults = small_faults();
    ASSERT_EQ(faults.size(), 7u);
    for (const auto& fault : faults) {
      const Seen seen = look(*fault, p, inputs, answer);
      EXPECT_EQ(seen.verdict, Verdict::reject) << fault->name() << ' ' << shape_of(format).name;
      std::cout << fault->name() << ' ' << shape_of(format).name << ": LSE rejected in "
                << seen.lse_rows << " of " << seen.rows << " rows\n";
      if (fault->name() == "fault/cubic-exp2") {
        EXPECT_GE(5 * seen.lse_rows, seen.rows) << shape_of(format).name;
      }
    }
  }
}

}  // namespace
}  // namespace attest::sharpness_test
