// Goal: ten small inputs on which real kernels failed, each by name. Every healthy kernel that
// takes one is accepted under all laws, and a canary with that very fault is rejected by the law
// that the reports ask for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "harness/campaign/check_case.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest::reproducers_test {
namespace {

using Value = std::function<double(Index b, Index h, Index row, Index column)>;

void set_values(Tensor& tensor, const Value& value) {
  const TensorView view = tensor.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          view.set_bits(b, h, row, column, round_to_bits(view.format, value(b, h, row, column)));
        }
      }
    }
  }
}

Value constant(double value) {
  return [value](Index, Index, Index, Index) { return value; };
}

// q = 1 and d_qk = 1, so that the keys are the scores.
struct Reproduced {
  Problem problem;
  Value k = constant(0);
  Value v = constant(1);
  Value q = constant(1);
  Value dout = constant(1);

  [[nodiscard]] Case made() const {
    Inputs inputs = zero_inputs(problem);
    set_values(inputs.q, q);
    set_values(inputs.k, k);
    set_values(inputs.v, v);
    set_values(inputs.dout, dout);
    return {problem, inputs};
  }
};

Problem one_head(Index n_q, Index n_k, Format format = Format::f16, Pass pass = Pass::fwd) {
  Problem p;
  p.n_q = n_q;
  p.n_k = n_k;
  p.in = p.out = format;
  p.pass = pass;
  return p;
}

CaseResult checked(const Case& c, std::span<const Subject* const> subjects) {
  return check_case(c, std::get<Inputs>(c.data), subjects, every_law(), {emulated_units()});
}

void expect_healthy(const Case& c) {
  const std::vector<std::string> specs = {"plain", "variant/plain-split", "tiled", "split",
                                          "materialising"};
  int judged = 0;
  const CaseResult result = checked(c, resolve_subjects(specs));
  for (const SubjectResult& subject : result.subjects) {
    if (subject.unsupported) continue;
    ++judged;
    EXPECT_EQ(verdict_of(subject), Verdict::accept)
        << subject.subject->name() << " " << to_string(c.problem);
  }
  EXPECT_GE(judged, 2);
}

bool rejects(const Case& c, const std::string& canary, std::string_view law) {
  const std::vector<std::string> specs = {"canary/" + canary};
  const CaseResult result = checked(c, resolve_subjects(specs));
  return std::ranges::any_of(result.subjects.front().laws, [&](const LawResult& one) {
    return one.law->name == law && one.outcome.verdict == Verdict::reject;
  });
}

TEST(Reproducer, OneKeyReturnsItsVOnALadderOfScores) {
  bool fused = false;
  bool sentinel = false;
  for (int exponent = 2; exponent <= 10; ++exponent) {
    for (const double sign : {0.0, 1.0, -1.0}) {
      const double root = std::pow(10.0, exponent / 2.0);
      const Case c = Reproduced{.problem = one_head(1, 1, Format::bf16),
                                .k = constant(root),
                                .v = constant(1.5),
                                .q = constant(sign * root)}
                         .made();
      expect_healthy(c);
      fused = fused || rejects(c, "m21-undeclared-fusion", "accuracy");
      sentinel = sentinel || rejects(c, "m22-finite-sentinel", "accuracy");
    }
  }
  EXPECT_TRUE(fused);
  EXPECT_TRUE(sentinel);
}

TEST(Reproducer, OnesReturnOnesWhereEachTilesMaximumRises) {
  for (const double step : {0.5, 3.9, 4.0, 7.9, 8.0, 8.1}) {  // in powers of two
    for (const Index tiles : {2, 3, 4}) {
      const auto rising = [=](Index, Index, Index j, Index) {
        return step * static_cast<double>(j / 16) * std::numbers::ln2;
      };
      const Case c = Reproduced{.problem = one_head(1, 16 * tiles), .k = rising}.made();
      expect_healthy(c);
      EXPECT_EQ(rejects(c, "m25-lazy-in-wrong-frame", "accuracy"), step < 8) << step;
      // Beyond 2^16 no f16 holds P.
      EXPECT_EQ(rejects(c, "m25-lazy-beyond-range", "constant_v"),
                step * static_cast<double>(tiles - 1) >= 16)
          << step << " " << tiles;
    }
  }
}

TEST(Reproducer, ADeadFirstTileBeforeScoresOfMinus200) {
  Problem p = one_head(1, 20);
  p.left = 3;
  const Case c = Reproduced{.problem = p, .k = constant(-200)}.made();
  expect_healthy(c);
  EXPECT_TRUE(rejects(c, "m04-max-kept-at-zero", "accuracy"));
  EXPECT_TRUE(rejects(c, "m03-infinite-difference", "accuracy"));
}

TEST(Reproducer, OneLiveKeyOfMinus100InTheBackward) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const Case c =
        Reproduced{.problem = one_head(1, 1, format, Pass::bwd), .k = constant(-100)}.made();
    expect_healthy(c);
    EXPECT_TRUE(rejects(c, "m20-unmasked-backward", "gradient_accuracy"));
  }
}

TEST(Reproducer, PartsMergeWithEmptyOnesBeforeThemAndLsesOf200) {
  for (const double largest : {200.0, -200.0}) {
    Problem p = one_head(2, 128);
    p.left = 40;  // the first two parts of 32 keys are empty
    const auto apart = [=](Index, Index, Index j, Index) { return j < 96 ? largest : -largest; };
    const auto v = [](Index, Index, Index j, Index) { return static_cast<double>(j % 7); };
    const Case c = Reproduced{.problem = p, .k = apart, .v = v}.made();
    expect_healthy(c);
    EXPECT_TRUE(rejects(c, "m08-merge-without-max", "accuracy"));
    p.right = -200;  // all parts are empty
    const Case empty = Reproduced{.problem = p, .k = apart, .v = v}.made();
    expect_healthy(empty);
    EXPECT_TRUE(rejects(empty, "m08-merge-without-guard", "dead_rows"));
  }
}

TEST(Reproducer, ByteThatNobodySeesTakesOtherFiniteValues) {
  Problem p = one_head(3, 20);
  p.lk = {9};
  p.right = -7;  // row 0 sees nothing, rows 1 and 2 see the first keys
  const auto v = [](Index, Index, Index j, Index) { return static_cast<double>(j); };
  const Case c = Reproduced{.problem = p, .v = v}.made();
  expect_healthy(c);
  EXPECT_TRUE(rejects(c, "m02-finite-mask-cap", "containment"));
  EXPECT_TRUE(rejects(c, "m05-poisoned-v-tail", "containment"));
}

TEST(Reproducer, BuffersLongerThanTheLastLengthAndEntriesOfLengthZero) {
  Problem p = one_head(3, 5, Format::bf16, Pass::bwd);
  p.batch = 2;
  p.lk = {0, 3};
  const Case c = Reproduced{.problem = p}.made();
  expect_healthy(c);
  EXPECT_TRUE(rejects(c, "m06-unwritten-tail", "write_coverage"));
  EXPECT_TRUE(rejects(c, "m34-empty-entry-ends-all", "write_coverage"));
  Problem two_rows = one_head(2, 3);
  EXPECT_TRUE(
      rejects(Reproduced{.problem = two_rows}.made(), "m37-first-row-only", "write_coverage"));
}

TEST(Reproducer, ADimensionOfLengthTwoWithAHugeStride) {
  for (const auto& [batch, heads] : {std::pair<Index, Index>{2, 1}, {1, 2}}) {
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      Problem p = one_head(2, 3, Format::f16, pass);
      p.batch = batch;
      p.heads_q = p.heads_k = heads;
      const Case c = Reproduced{.problem = p}.made();
      expect_healthy(c);
      EXPECT_TRUE(rejects(c, "m07-int32-offset", "big_offsets"));
    }
  }
}

TEST(Reproducer, KeysAtEachEdgeOfTheMaskTakeOtherValues) {
  Problem p = one_head(9, 9);
  p.heads_q = 4;
  p.heads_k = 2;
  p.left = 2;
  p.right = 0;
  const Case c = Reproduced{.problem = p}.made();
  expect_healthy(c);
  EXPECT_TRUE(rejects(c, "m13-mask-per-row-group", "non_interference"));
  EXPECT_TRUE(rejects(c, "m15-window-too-wide", "non_interference"));
  EXPECT_FALSE(rejects(c, "m11-top-left-causal", "non_interference"));  // square: nothing to see
  p.n_k = 12;
  EXPECT_TRUE(rejects(Reproduced{.problem = p}.made(), "m11-top-left-causal", "non_interference"));
}

TEST(Reproducer, TwoEqualWeightsOn256And258) {
  const Problem p = one_head(1, 2, Format::bf16, Pass::bwd);
  const auto v = [](Index, Index, Index j, Index) { return 256 + 2.0 * static_cast<double>(j); };
  const Case c = Reproduced{.problem = p, .k = constant(1), .v = v}.made();
  expect_healthy(c);
  EXPECT_TRUE(rejects(c, "rounded-d", "score_gradient_sum"));
}

}  // namespace
}  // namespace attest::reproducers_test
