// Goal: what a kernel divides, with errors up to those that it declares and of one sign where that
// hurts, lies within the replay's budget of its centre; and comes near enough to it.
#include "judge/replayed_output.hpp"

#include <gtest/gtest.h>

#include <string>

#include "oracle/enclose_scores.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/replay_emulation.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::replayed_output_test {
namespace {

// The row's own scores are those that enclose_scores bounds, or known.
double largest_ratio(const Problem& p, const Numerics& declared, bool one_sign, bool known_scores,
                     std::uint64_t seed) {
  const Inputs inputs = gaussian_inputs(p, seed);
  const HeadScores scores = enclose_scores(p, inputs, 0, 0);
  const ReplayRules rules = replay_rules(declared, p);
  std::vector<double> own;
  for (Index j = 0; j < p.n_k && known_scores; ++j) {
    float dot = 0;
    for (Index c = 0; c < p.d_qk; ++c) {
      dot = std::fma(static_cast<float>(inputs.q.view().value(0, 0, 0, c)),
                     static_cast<float>(inputs.k.view().value(0, 0, j, c)), dot);
    }
    own.push_back(dot);
  }
  const ReplayedWeights row = replay_row(rules, scores, 0, own);
  EXPECT_TRUE(row.known);
  const ReplayedValues values = replayed_values(rules, inputs.v.view(), 0, 0);
  const ReplayedOutput output(rules, values, scores.rows[0], row);
  EXPECT_GT(output.least_row_sum(), 0.25);
  const EmulatedRow emulated = RowEmulation(p, declared, one_sign, seed).run(inputs);
  double largest = 0;
  for (Index k = 0; k < p.d_v; ++k) {
    double sum_abs_v = 0;
    for (Index j = 0; j < p.n_k; ++j) sum_abs_v += std::fabs(inputs.v.view().value(0, 0, j, k));
    double centre = 0;
    const Budget budget = output.budget(k, sum_abs_v, centre);
    const double quotient = emulated.quotient[static_cast<std::size_t>(k)];
    largest = std::max(largest, std::fabs(quotient - centre) / budget.total);
  }
  return largest;
}

TEST(ReplayedOutput, HoldsWhatAKernelDivides) {
  Problem p;
  p.n_k = 37;
  p.d_qk = 16;
  p.d_v = 8;
  p.scale = 0.7F;
  for (const char* form : {"difference_first", "scaled_max", "product_first", "fused"}) {
    for (const char* l_from : {"unrounded", "rounded"}) {
      for (const char* p_format : {"f16", "bf16", "f32"}) {
        double largest = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
          const Numerics declared =
              changed(sharpest(), std::string("tile_k=8;exp2=0x1p-20;exponent=") + form +
                                      ";l_from=" + l_from + ";p_format=" + p_format);
          const double ratio = largest_ratio(p, declared, seed % 3 != 0, seed % 2 == 0, seed);
          EXPECT_LE(ratio, 1) << form << " " << l_from << " " << p_format << " seed " << seed;
          largest = std::max(largest, ratio);
        }
        EXPECT_GE(largest, 0.05) << form << " " << l_from << " " << p_format;
      }
    }
  }
}

}  // namespace
}  // namespace attest::replayed_output_test
