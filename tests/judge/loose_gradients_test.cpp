// Goal: gradients by blocks of binary64, judged between two budgets, are judged as multiprecision
// judges, above all values at the edge of their budget; and what is undecided goes up.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "core/random.hpp"
#include "judge/group_sums.hpp"
#include "judge/row_error.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_gradients_in_binary64.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "properties/draw.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged_gradients.hpp"

namespace attest::loose_gradients_test {
namespace {

struct GradientTensors {
  Tensor dq;
  Tensor dk;
  Tensor dv;
};

// Calls set(tensor, b, h, row, column, exact, budget) for every finite element.
template <class Set>
void for_budgets(const GradientCase& g, const BackwardAnswer& sharp, Set set) {
  const Problem& p = g.problem();
  GroupSums sums(g);
  std::vector<Pair> room;
  const auto each = [&](OutputTensor tensor, Index b, Index h, Index row, auto budget) {
    const bool of_dq = tensor == OutputTensor::dq;
    const GradientAnswer& answer = of_dq                        ? sharp.dq
                                   : tensor == OutputTensor::dk ? sharp.dk
                                                                : sharp.dv;
    const Index heads = of_dq ? p.heads_q : p.heads_k;
    const Index rows = of_dq ? p.n_q : p.n_k;
    const Index columns = tensor == OutputTensor::dv ? p.d_v : p.d_qk;
    for (Index c = 0; c < columns; ++c) {
      const auto e = static_cast<std::size_t>(((b * heads + h) * rows + row) * columns + c);
      if (answer.classes[e] != OutputClass::finite) continue;
      set(tensor, b, h, row, c, answer.values[e], budget(c, max_abs(answer.values[e])));
    }
  };
  for (Index b = 0; b < p.batch; ++b) {
    for (Index key_head = 0; key_head < p.heads_k; ++key_head) {
      sums.begin(b, key_head);
      for (Index h = key_head * g.group(); h < (key_head + 1) * g.group(); ++h) {
        sums.begin_head(h);
        for (Index i = 0; i < p.n_q; ++i) {
          sums.add_row(h, i, g.pairs(b, h, i, room));
          each(OutputTensor::dq, b, h, i,
               [&](Index c, double exact) { return sums.budget_of_dq(h, i, c, exact); });
        }
      }
      for (Index j = 0; j < p.n_k; ++j) {
        for (const OutputTensor tensor : {OutputTensor::dk, OutputTensor::dv}) {
          each(tensor, b, key_head, j,
               [&](Index c, double exact) { return sums.budget_of_key(tensor, j, c, exact); });
        }
      }
    }
  }
}

enum class Side { inside, outside, both };

double distance_of(Side side, const RandomBits& dice) {
  constexpr double kDistances[] = {0.05, 0.3, 0.5, 0.9, 1 - 1e-12, 1 + 1e-12, 1.1, 2};
  if (side == Side::inside) return 1 - 1e-12;
  return side == Side::outside ? 1 + 1e-12 : kDistances[dice[0] % 8];
}

// A value about so many budgets away from the exact one: no further where it is to be inside, no
// nearer where outside.
std::uint64_t value_at(const Enclosure& exact, double budget, Side side, const RandomBits& dice,
                       Format format) {
  const double offset = distance_of(side, dice) * budget;
  const bool above = dice[1] % 2 == 0;
  const double value = above ? exact.hi + offset : exact.lo - offset;
  if (side == Side::both) return round_to_bits(format, value);
  const bool toward_zero = (side == Side::inside) == above ? value > 0 : value < 0;
  std::uint64_t bits = round_to_bits(format, value, Rounding::toward_zero);
  // Away from zero is one pattern further.
  if (!toward_zero && widen_bits(format, bits) != value) ++bits;
  const double rounded = widen_bits(format, bits);
  const bool within = rounded >= exact.hi - offset && rounded <= exact.lo + offset;
  if (side == Side::inside && !within) return round_to_bits(format, exact.lo / 2 + exact.hi / 2);
  return bits;
}

struct Counts {
  Index judged = 0;
  Index accepted = 0;
  Index rejected = 0;
  Index undecided = 0;
};

Counts counts_of(const Judgement& j) {
  Counts all;
  for (const TensorJudgement* t : {&j.dq, &j.dk, &j.dv}) {
    all.judged += t->judged;
    all.accepted += t->accepted;
    all.rejected += t->rejected;
    all.undecided += t->undecided;
  }
  return all;
}

// One case in one view under one declaration.
struct Setting {
  const Problem& p;
  const Inputs& inputs;
  View view;
  Numerics numerics;
  std::optional<StoredForward> stored;
  Answer sharp_forward;
  Answer loose_forward;
  BackwardAnswer sharp;
  BackwardAnswer loose;
};

class Escalation {
 public:
  Index elements = 0;
  Index undecided = 0;
  Index bounded = 0;

  void run(const Setting& s, std::uint64_t seed) {
    for (const Side side : {Side::both, Side::inside, Side::outside}) run(s, seed, side);
  }

 private:
  void run(const Setting& s, std::uint64_t seed, Side side) {
    const GradientTensors values = values_at_the_edges(s, seed, side);
    const auto judge = [&](const Answer& forward, const BackwardAnswer& exact) {
      return counts_of(judge_backward(s.p, s.inputs, forward, exact, s.view, s.numerics, {},
                                      {values.dq.view(), values.dk.view(), values.dv.view()},
                                      Rows::live));
    };
    const Counts alone = judge(s.sharp_forward, s.sharp);
    const Counts first = judge(s.loose_forward, s.loose);
    EXPECT_EQ(first.judged, alone.judged);
    EXPECT_LE(first.accepted, alone.accepted);
    EXPECT_LE(first.rejected, alone.rejected);
    // All on one side of their edges, so that no two errors can hide each other.
    if (side == Side::inside) {
      EXPECT_LE(alone.rejected, alone.judged - numbers_);  // those whose class is another
      EXPECT_EQ(first.rejected, alone.rejected);
    } else if (side == Side::outside) {
      EXPECT_LE(first.accepted, alone.accepted - unbounded_);
    }
    elements += first.judged;
    undecided += first.undecided;
  }

  GradientTensors values_at_the_edges(const Setting& s, std::uint64_t seed, Side side) {
    const Problem& p = s.p;
    GradientTensors to{Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()),
                       Tensor(p.out, p.v_extents())};
    const BackwardArithmetic arithmetic = resolve_backward(s.numerics, p);
    const GradientCase g(p, s.inputs, s.sharp_forward, s.sharp, s.view, arithmetic);
    numbers_ = unbounded_ = 0;
    for_budgets(
        g, s.sharp,
        [&](OutputTensor tensor, Index b, Index h, Index row, Index c, const Enclosure& exact,
            const Budget& budget) {
          const auto u32 = [](Index n) { return static_cast<std::uint32_t>(n); };
          const RandomBits dice = random_bits(seed, {30 + static_cast<std::uint32_t>(tensor),
                                                     u32(b * 64 + h), 0, u32(row), u32(c)});
          Tensor& of = tensor == OutputTensor::dq   ? to.dq
                       : tensor == OutputTensor::dk ? to.dk
                                                    : to.dv;
          const bool has_budget = budget.unbounded == Unbounded::no;
          ++(has_budget ? bounded : unbounded_);
          of.view().set_bits(b, h, row, c, value_at(exact, budget.total, side, dice, p.out));
        });
    return to;
  }

  Index numbers_ = 0;    // of the values made last
  Index unbounded_ = 0;  // of these
};

constexpr const char* kChanges[] = {"", "d_source=p_dp;p_in_ds=rounded",
                                    "d_source=f32_o;group_sum=per_head:f32",
                                    "dq_sum=atomic:16;exponent=fused"};

Escalation escalate(std::uint64_t first, std::uint64_t cases) {
  Escalation all;
  for (std::uint64_t n = first; n < first + cases && !::testing::Test::HasFailure(); ++n) {
    SCOPED_TRACE("case " + std::to_string(n));
    const Case c = draw(3, n, Pass::bwd);
    Problem p = c.problem;
    const Inputs inputs = materialise(c);
    p.out = n % 3 == 0 ? Format::f32 : p.out;
    const Numerics declared = n % 5 == 4 ? Numerics{}
                                         : changed(exact_backward(kChanges[n % 4]),
                                                   "o_format=" + std::string(shape_of(p.out).name));
    const Answer sharp = enclose_forward(p, inputs);
    const Answer loose = enclose_in_binary64(p, inputs);
    const ForwardResult forward = forward_of(p, inputs, sharp, declared);
    for (const View view : {View::end_to_end, View::stage_wise}) {
      std::optional<StoredForward> stored;
      if (view == View::stage_wise) {
        stored =
            StoredForward{forward.o.view(), forward.lse.view(), declared.d_source == DSource::p_dp};
      }
      all.run({p, inputs, view, declared, stored, sharp, loose, enclose_backward(p, inputs, stored),
               enclose_gradients_in_binary64(p, inputs, loose, stored)},
              n);
    }
  }
  std::cout << all.elements << " elements, " << all.bounded << " with a budget, " << all.undecided
            << " escalated\n";
  return all;
}

TEST(LooseGradients, AreJudgedAsMultiprecisionJudges) {
  const Escalation all = escalate(8, 24);
  EXPECT_GE(all.elements, 400'000);
  EXPECT_GE(all.bounded, all.elements / 2);
  EXPECT_GE(all.undecided, 1'000);  // values reach the tier above
}

}  // namespace
}  // namespace attest::loose_gradients_test
