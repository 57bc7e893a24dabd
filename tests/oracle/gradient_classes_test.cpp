// Goal: every gradient has the class that the formulas give it, decided by live keys and rows only,
// and no number that is not finite leaks into a finite one.
#include "oracle/gradient_classes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest::gradient_classes_test {
namespace {

using enum OutputClass;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Three rows and four keys, causal from the top left: row i sees keys 0 to i, and key 3 is seen by
// none. Two heads share the keys.
struct TwoHeads {
  Problem p;
  Inputs inputs;
  Tensor o;
  Tensor lse;

  TwoHeads() {
    p.pass = Pass::bwd;
    p.in = p.out = Format::bf16;
    p.heads_q = 2;
    p.n_q = 3;
    p.n_k = 4;
    p.d_qk = 2;
    p.d_v = 2;
    p.right = 0;
    p.align = Align::top_left;
    p.lse_gradient = true;
    inputs = zero_inputs(p);
    o = Tensor(p.out, p.o_extents());
    lse = Tensor(Format::f32, p.lse_extents());
    for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse, &o, &lse}) {
      const Extents& e = tensor->extents();
      for (Index h = 0; h < e[1]; ++h) {
        for (Index row = 0; row < e[2]; ++row) {
          for (Index c = 0; c < e[3]; ++c) set(*tensor, h, row, c, static_cast<double>(1 + c - h));
        }
      }
    }
  }
  static void set(Tensor& tensor, Index h, Index row, Index column, double value) {
    tensor.view().set_bits(0, h, row, column, round_to_bits(tensor.format(), value));
  }
  [[nodiscard]] StoredForward stored(bool d_from_p = false) const {
    return {o.view(), lse.view(), d_from_p};
  }
};

// Classes row by row, one for each row of dQ's head 0, dK and dV; those of head 1's dQ are finite.
struct Classes {
  std::vector<OutputClass> dq{finite, finite, finite};
  std::vector<OutputClass> dk{finite, finite, finite, dead};
  std::vector<OutputClass> dv{finite, finite, finite, dead};
};

std::vector<OutputClass> twice_each(const std::vector<OutputClass>& rows) {
  std::vector<OutputClass> elements;
  for (const OutputClass row : rows) elements.insert(elements.end(), 2, row);
  return elements;
}

void expect_numbers(const GradientAnswer& gradient) {
  for (std::size_t e = 0; e < gradient.classes.size(); ++e) {
    if (gradient.classes[e] == finite) {
      EXPECT_TRUE(std::isfinite(gradient.values[e].lo) && std::isfinite(gradient.values[e].hi));
    } else {
      EXPECT_EQ(gradient.values[e], (Enclosure{0, 0}));
    }
  }
}

void expect_classes(const TwoHeads& s, const std::optional<StoredForward>& stored,
                    const Classes& classes, const std::vector<OutputClass>& dv) {
  std::vector<OutputClass> dq = twice_each(classes.dq);
  dq.insert(dq.end(), 6, finite);
  const BackwardAnswer weights = enclose_backward(s.p, s.inputs);
  for (const BackwardAnswer& answer :
       {enclose_backward(s.p, s.inputs, stored),
        enclose_backward_by_weights(s.p, s.inputs, weights, stored)}) {
    EXPECT_EQ(answer.dq.classes, dq);
    EXPECT_EQ(answer.dk.classes, twice_each(classes.dk));
    EXPECT_EQ(answer.dv.classes, dv);
    expect_numbers(answer.dq);
    expect_numbers(answer.dk);
    expect_numbers(answer.dv);
  }
}

void expect_classes(const TwoHeads& s, const Classes& classes) {
  expect_classes(s, std::nullopt, classes, twice_each(classes.dv));
  expect_classes(s, s.stored(), classes, twice_each(classes.dv));
}

TEST(GradientClasses, AreFiniteForFiniteInputsAndDeadForAKeyThatNobodySees) {
  expect_classes(TwoHeads(), {});
}

TEST(GradientClasses, ANaNInTheQueryTakesTheRowAndEveryKeyItSees) {
  TwoHeads s;
  s.set(s.inputs.q, 0, 1, 1, kNaN);
  expect_classes(s, {{finite, nan, finite}, {nan, nan, finite, dead}, {nan, nan, finite, dead}});
}

TEST(GradientClasses, ANaNInAKeyTakesAllRowsThatSeeItAndAllThatTheySee) {
  TwoHeads s;
  s.set(s.inputs.k, 0, 2, 0, kNaN);
  const BackwardAnswer answer = enclose_backward(s.p, s.inputs);
  EXPECT_EQ(answer.dq.classes, twice_each({finite, finite, nan, finite, finite, nan}));
  EXPECT_EQ(answer.dk.classes, twice_each({nan, nan, nan, dead}));
  EXPECT_EQ(answer.dv.classes, twice_each({nan, nan, nan, dead}));
}

TEST(GradientClasses, ANaNInVTakesScoreGradientsButNoDv) {
  TwoHeads s;
  s.set(s.inputs.v, 0, 2, 0, kNaN);
  const BackwardAnswer answer = enclose_backward(s.p, s.inputs);
  EXPECT_EQ(answer.dk.classes, twice_each({nan, nan, nan, dead}));
  EXPECT_EQ(answer.dv.classes, twice_each({finite, finite, finite, dead}));
  EXPECT_EQ(answer.dq.classes, twice_each({finite, finite, nan, finite, finite, nan}));
  expect_numbers(answer.dv);
}

TEST(GradientClasses, ANaNInDoutTakesOneColumnOfDv) {
  TwoHeads s;
  s.set(s.inputs.dout, 0, 1, 0, kNaN);
  const Classes classes{{finite, nan, finite}, {nan, nan, finite, dead}, {}};
  const std::vector<OutputClass> dv{nan, finite, nan, finite, finite, finite, dead, dead};
  expect_classes(s, std::nullopt, classes, dv);
  expect_classes(s, s.stored(), classes, dv);
}

TEST(GradientClasses, ANaNInTheGradientOfLseTakesScoreGradientsButNoDv) {
  TwoHeads s;
  s.set(s.inputs.glse, 0, 1, 0, kNaN);
  expect_classes(s,
                 {{finite, nan, finite}, {nan, nan, finite, dead}, {finite, finite, finite, dead}});
}

TEST(GradientClasses, InfinitiesAreUndefinedWhereTheyReach) {
  TwoHeads q;
  q.set(q.inputs.q, 0, 1, 1, kInf);
  const std::vector<OutputClass> reached{undefined, undefined, finite, dead};
  expect_classes(q, {{finite, undefined, finite}, reached, reached});
  TwoHeads dout;
  dout.set(dout.inputs.dout, 0, 1, 0, -kInf);
  const Classes classes{{finite, undefined, finite}, reached, {}};
  const std::vector<OutputClass> dv{undefined, finite, undefined, finite,
                                    finite,    finite, dead,      dead};
  expect_classes(dout, std::nullopt, classes, dv);
  TwoHeads glse;
  glse.set(glse.inputs.glse, 0, 1, 0, kInf);
  expect_classes(glse, {{finite, undefined, finite}, reached, {finite, finite, finite, dead}});
}

TEST(GradientClasses, NaNWinsOverInfinityAndInfinityOverNumbers) {
  TwoHeads s;
  s.set(s.inputs.q, 0, 1, 1, kInf);
  s.set(s.inputs.q, 0, 2, 1, kNaN);
  expect_classes(s, {{finite, undefined, nan}, {nan, nan, nan, dead}, {nan, nan, nan, dead}});
}

TEST(GradientClasses, AreUndefinedWhereStoredValuesAreNotFinite) {
  TwoHeads s;
  s.set(s.o, 0, 1, 0, kNaN);
  const std::vector<OutputClass> reached{undefined, undefined, finite, dead};
  const Classes ds{{finite, undefined, finite}, reached, {}};
  const std::vector<OutputClass> fine = twice_each({finite, finite, finite, dead});
  expect_classes(s, s.stored(), ds, fine);
  expect_classes(s, s.stored(true), {}, fine);  // O is not asked
  s.set(s.lse, 0, 1, 0, -kInf);
  expect_classes(s, s.stored(true), ds, twice_each(reached));
  expect_classes(s, std::nullopt, {}, fine);
}

TEST(GradientClasses, NothingBeyondTheLengthsTakesPart) {
  TwoHeads s;
  s.p.lq = {2};
  s.p.lk = {1};
  s.set(s.inputs.q, 0, 2, 0, kNaN);
  s.set(s.inputs.k, 0, 1, 0, kInf);
  s.set(s.inputs.v, 0, 3, 0, kNaN);
  const BackwardAnswer answer = enclose_backward(s.p, s.inputs);
  EXPECT_EQ(answer.dq.classes, twice_each({finite, finite, beyond, finite, finite, beyond}));
  EXPECT_EQ(answer.dk.classes, twice_each({finite, beyond, beyond, beyond}));
  EXPECT_EQ(answer.dv.classes, twice_each({finite, beyond, beyond, beyond}));
  EXPECT_TRUE(answer.rows[2].pairs.empty());
  EXPECT_EQ(answer.rows[1].pairs.size(), 1u);
}

TEST(GradientClasses, RowsWithoutAKeyAreDeadAndSilentAboutTheirNaN) {
  TwoHeads s;
  s.p.lk = {0};
  s.set(s.inputs.dout, 0, 2, 0, kNaN);
  const BackwardAnswer answer = enclose_backward(s.p, s.inputs);
  EXPECT_EQ(answer.dq.classes, twice_each(std::vector<OutputClass>(6, dead)));
  EXPECT_EQ(answer.dk.classes, twice_each(std::vector<OutputClass>(4, beyond)));
  expect_numbers(answer.dq);
}

}  // namespace
}  // namespace attest::gradient_classes_test
