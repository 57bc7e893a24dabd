// Goal: binary64 with escalation says of every element what multiprecision says alone, above all of
// values at the edge of their budget, and escalates where it has to.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "core/random.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "properties/draw.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"

namespace attest::loose_rows_test {
namespace {

struct Stored {
  Tensor o;
  Tensor lse;
};

// Values around the edges of their sharp budgets: well inside, inside and outside by 1e-12 of the
// budget (or the nearest value of the format), well outside.
Stored values_at_the_edges(const Problem& p, const Answer& sharp, const Numerics& numerics,
                           std::uint64_t seed) {
  Stored stored{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())};
  const Resolved arithmetic = resolve(numerics, p);
  const double distances[] = {0.05, 0.3, 0.5, 0.9, 1 - 1e-12, 1 + 1e-12, 1.1, 2};
  const auto shifted = [&](const Enclosure& exact, const Budget& budget, const Coordinates& at) {
    const RandomBits dice = random_bits(seed, at);
    const double distance = distances[dice[0] % 8] * budget.total;
    const double middle = exact.lo / 2 + exact.hi / 2;
    return dice[1] % 2 == 0 ? middle + distance : middle - distance;
  };
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    const std::size_t row = row_index(p, b, h, i);
    if (sharp.lse_class[row] != OutputClass::finite) return;
    const RowBudget budget = prepare_row(p, arithmetic, sharp.rows[row]);
    Coordinates at{20, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(h),
                   static_cast<std::uint32_t>(i), 0};
    const Budget lse = budget_of_lse(budget, sharp.lse[row]);
    stored.lse.view().set_bits(b, h, i, 0,
                               round_to_bits(Format::f32, shifted(sharp.lse[row], lse, at)));
    for (Index k = 0; k < p.d_v; ++k) {
      const std::size_t e = row * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
      at.column = static_cast<std::uint32_t>(k) + 1;
      const Budget o = budget_of_o(budget, sharp.elements[e], sharp.o[e]);
      stored.o.view().set_bits(b, h, i, k, round_to_bits(p.out, shifted(sharp.o[e], o, at)));
    }
  });
  return stored;
}

struct Counts {
  Index judged = 0;
  Index accepted = 0;
  Index rejected = 0;
  Index undecided = 0;
};

Counts counts_of(const TensorJudgement& t) {
  return {t.judged, t.accepted, t.rejected, t.undecided};
}

// Judges by binary64, refines what is undecided, and holds every step against multiprecision.
struct Escalation {
  Index elements = 0;
  Index undecided = 0;

  void run(const Case& c, const Numerics& numerics, std::uint64_t seed) {
    const Problem& p = c.problem;
    const Inputs inputs = materialise(c);
    const Answer sharp = enclose_forward(p, inputs);
    Answer loose = enclose_in_binary64(p, inputs);
    const Stored stored = values_at_the_edges(p, sharp, numerics, seed);
    const auto judge = [&](const Answer& answer) {
      return judge_forward(p, answer, numerics, {}, stored.o.view(), stored.lse.view(), Rows::live);
    };
    const Judgement by_itself = judge(sharp);
    const Judgement first = judge(loose);
    refine_rows(p, inputs, first.undecided_rows, kFirstPrecision, loose);
    const Judgement last = judge(loose);
    for (const OutputTensor tensor : {OutputTensor::o, OutputTensor::lse}) {
      const Counts t = counts_of(tensor == OutputTensor::o ? by_itself.o : by_itself.lse);
      const Counts f = counts_of(tensor == OutputTensor::o ? first.o : first.lse);
      const Counts l = counts_of(tensor == OutputTensor::o ? last.o : last.lse);
      EXPECT_EQ(f.judged, t.judged);
      EXPECT_LE(f.accepted, t.accepted);
      EXPECT_LE(f.rejected, t.rejected);
      EXPECT_EQ(l.accepted, t.accepted);
      EXPECT_EQ(l.rejected, t.rejected);
      EXPECT_EQ(l.undecided, t.undecided);
      elements += f.judged;
      undecided += f.undecided;
    }
  }
};

// P and O in the formats of the problem.
Numerics sharpest_for(const Problem& p, const std::string& changes) {
  return changed(sharpest(), "p_format=" + std::string(shape_of(p.in).name) +
                                 ";o_format=" + std::string(shape_of(p.out).name) + changes);
}

Escalation escalate(std::uint64_t cases) {
  const char* changes[] = {"", ";l_from=rounded", ";exponent=fused;divide=approx"};
  Escalation all;
  for (std::uint64_t index = 0; index < cases && !::testing::Test::HasFailure(); ++index) {
    SCOPED_TRACE("case " + std::to_string(index));
    const Case c = draw(3, index);
    all.run(c, sharpest_for(c.problem, changes[index % 3]), index);
  }
  std::cout << all.elements << " elements, " << all.undecided << " escalated\n";
  return all;
}

TEST(LooseRows, AreJudgedAsMultiprecisionJudges) {
  const Escalation all = escalate(144);
  EXPECT_GE(all.elements, 100'000);
  EXPECT_GE(all.undecided, 1'000);             // values reach the tier above
  EXPECT_LT(all.undecided, all.elements / 2);  // and most do not need it
}

}  // namespace
}  // namespace attest::loose_rows_test
