// Goal: the families that are built for gradients reach what their comments claim, computed here in
// binary64 or shown on a subject that is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/enclose_backward.hpp"
#include "properties/execution.hpp"
#include "tests/properties/checking.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::gradient_reach_test {
namespace {

Problem backward_problem(Format format, Index n_q, Index n_k, Index d) {
  Problem p = open_problem(format, n_q, n_k, d);
  p.pass = Pass::bwd;
  return p;
}

// What dS of a pair is made of.
struct PairNumbers {
  double p;
  double dp;
  double d;
  [[nodiscard]] double ds() const { return p * (dp - d); }
};

std::vector<PairNumbers> pairs_of_row(const Problem& p, const Inputs& inputs, Index i) {
  std::vector<PairNumbers> pairs;
  double most = -INFINITY;
  for (Index j = 0; j < p.n_k; ++j) most = std::max(most, scaled_score(p, inputs, i, j));
  double l = 0;
  double sum = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    double dp = 0;
    for (Index k = 0; k < p.d_v; ++k) {
      dp += inputs.dout.view().value(0, 0, i, k) * inputs.v.view().value(0, 0, j, k);
    }
    pairs.push_back({std::exp(scaled_score(p, inputs, i, j) - most), dp, 0});
    l += pairs.back().p;
    sum += pairs.back().p * dp;
  }
  for (PairNumbers& pair : pairs) {
    pair.p /= l;
    pair.d = sum / l;
  }
  return pairs;
}

double largest_error(const Tensor& observed, const GradientAnswer& exact) {
  const ConstTensorView view = observed.view();
  double most = 0;
  for (Index at = 0; at < observed.size(); ++at) {
    const auto [batch, heads, rows, columns] = view.extents;
    const double x = view.value(0, 0, at / columns % rows, at % columns);
    most = std::max(most, std::fabs(x - exact.values[static_cast<std::size_t>(at)].lo));
  }
  return most;
}

// Of a subject that is right: how far its dQ is off, in units of the largest exact one.
struct ErrorsOfDq {
  double end_to_end;
  double stage_wise;
};

ErrorsOfDq errors_of_dq(const std::string& family, const Problem& p, std::uint64_t seed) {
  const Inputs inputs = values_of(family, p, seed);
  const RowwiseSubject subject;
  const Execution run = execute(subject, p, inputs, {});
  const CheckedCase checked({p, FamilyData{family, seed}}, subject);
  for (const char* law : {"gradient_accuracy", "stage_accuracy"}) {
    EXPECT_EQ(checked.check(law).verdict, Verdict::accept) << family << " " << law;
  }
  const BackwardAnswer exact = enclose_backward(p, inputs);
  const StoredForward stored{run.outputs.o.view(), run.outputs.lse.view()};
  const BackwardAnswer of_stage = enclose_backward(p, inputs, stored);
  const double largest =
      largest_error(Tensor(p.out, p.q_extents()), exact.dq);  // of zeros: all of dQ
  return {largest_error(run.outputs.dq, exact.dq) / largest,
          largest_error(run.outputs.dq, of_stage.dq) / largest};
}

// Keys at -200 to -500 have a large mean, along which the exact dQ nearly cancels.
TEST(GradientReach, BiasedDPutsACorrectDqOffByManyPerCentsEndToEndAlone) {
  for (const Format format : {Format::f16, Format::bf16}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Problem p = backward_problem(format, 24, 20, 32);
      const ErrorsOfDq biased = errors_of_dq("F8", p, seed);
      EXPECT_GT(biased.end_to_end, 0.05) << seed;
      EXPECT_GT(biased.end_to_end, 32 * biased.stage_wise) << seed;
      const ErrorsOfDq plain = errors_of_dq("F0", p, seed);
      EXPECT_LT(plain.end_to_end, 2 * plain.stage_wise) << seed;
    }
  }
}

TEST(GradientReach, BiasedDHasOneSignOfDoutAndLongRowsOfQ) {
  const Problem p = backward_problem(Format::bf16, 12, 20, 32);
  const Inputs inputs = values_of("F8", p, 4);
  const auto columns_of = [&](const Tensor& tensor, Index row) {
    double squares = 0;
    for (Index c = 0; c < 32; ++c) squares += std::pow(tensor.view().value(0, 0, row, c), 2);
    return std::sqrt(squares);
  };
  for (Index i = 0; i < 12; ++i) {
    for (Index k = 0; k < 32; ++k) EXPECT_GT(inputs.dout.view().value(0, 0, i, k), 0);
    EXPECT_GT(columns_of(inputs.q, i), std::sqrt(32.0));  // of a Gaussian row
    for (Index j = 0; j < 20; ++j) EXPECT_LT(scaled_score(p, inputs, i, j), -200);
  }
}

TEST(GradientReach, CancellingDpLeavesLittleOrOneKey) {
  int near = 0;
  int one_hot = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Problem p = backward_problem(Format::bf16, 6, 30, 16);
    const Inputs inputs = values_of("F12", p, seed);
    double dp = 0;
    double less_d = 0;
    int sharp = 0;
    for (Index i = 0; i < p.n_q; ++i) {
      double most = 0;
      for (const PairNumbers& pair : pairs_of_row(p, inputs, i)) {
        dp += pair.p * std::fabs(pair.dp);
        less_d += pair.p * std::fabs(pair.dp - pair.d);
        most = std::max(most, pair.p);
      }
      sharp += most > 0.99;
    }
    near += less_d < dp / 16 && sharp == 0;
    one_hot += sharp >= p.n_q / 2;
  }
  EXPECT_EQ(near + one_hot, 24);
  EXPECT_GE(near, 8);
  EXPECT_GE(one_hot, 3);
}

TEST(GradientReach, TinyDoutTakesDsOutOfTheNormalRangeOfF16) {
  int subnormal = 0;
  int gone = 0;
  int all = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Problem p = backward_problem(Format::f16, 4, 40, 8);
    const Inputs inputs = values_of("F13", p, seed);
    for (Index i = 0; i < p.n_q; ++i) {
      for (const PairNumbers& pair : pairs_of_row(p, inputs, i)) {
        const double ds = std::fabs(pair.ds());
        subnormal += ds >= 0x1p-24 && ds < 0x1p-14;
        gone += ds > 0 && ds < 0x1p-25;
        ++all;
      }
    }
  }
  EXPECT_GE(subnormal + gone, all * 3 / 4);
  EXPECT_GE(subnormal, all / 4);
  EXPECT_GE(gone, all / 20);
}

}  // namespace
}  // namespace attest::gradient_reach_test
