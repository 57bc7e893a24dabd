// Goal: a healthy kernel's O is always one of the values that its schedule allows, these are few,
// and their neighbours are rejected.
#include "judge/replay_forward.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "kernels/attention/materialising.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/plain.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/replayed.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::replay_forward_test {
namespace {

Problem square(Format format, Index n_q, Index n_k, Index d) {
  Problem p;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = d;
  p.in = p.out = format;
  p.scale = default_scale(d);
  return p;
}

TEST(ReplayForward, AcceptsEveryPlainForm) {
  for (const PlainForm& form : plain_forms()) {
    const auto subject = make_plain(std::string(form.name), form.config);
    for (const Format format : {Format::f16, Format::bf16}) {
      Problem p = square(format, 7, 53, 24);
      p.right = 0;
      const Numerics declared = subject->numerics(p, Unit::fp32_seq);
      if (!obstacle_to_replay(declared).empty()) continue;
      const TensorJudgement o = replay_run(*subject, p, gaussian_inputs(p, 5), Unit::fp32_seq);
      EXPECT_EQ(o.judged, 7 * 24) << form.name;
      EXPECT_EQ(o.rejected, 0) << form.name;
      EXPECT_EQ(o.left, 0) << form.name;
      EXPECT_GT(o.single, form.config.p_format == Format::f32 ? 0 : 7 * 24 / 3) << form.name;
    }
  }
}

TEST(ReplayForward, OfGaussianBf16DataManyElementsHaveOneAcceptableValue) {
  const auto subjects = tiled_subjects();
  const Subject& tiled = *subjects.front().subject;
  for (const auto& [format, least] : {std::pair{Format::bf16, 0.8}, std::pair{Format::f16, 0.35}}) {
    const Problem p = square(format, 64, 320, 64);
    const TensorJudgement o = replay_run(tiled, p, gaussian_inputs(p, 1), Unit::h100);
    EXPECT_EQ(o.judged, 64 * 64);
    EXPECT_EQ(o.rejected, 0);
    EXPECT_GE(single_share(o), least);
    std::cout << shape_of(format).name << ": one value " << 100 * single_share(o)
              << " %, width over budget " << o.width_sum / static_cast<double>(o.judged) << "\n";
  }
}

TEST(ReplayForward, WeightsDividedBeforePvAreFollowed) {
  const auto subjects = materialising_subjects();
  const Problem p = square(Format::bf16, 16, 70, 32);
  const TensorJudgement o =
      replay_run(*subjects.front().subject, p, gaussian_inputs(p, 1), Unit::a100);
  EXPECT_EQ(o.judged, 16 * 32);
  EXPECT_EQ(o.rejected, 0);
  EXPECT_GE(single_share(o), 0.4);
}

TEST(ReplayForward, RejectsTheNeighboursOfASingleValue) {
  const Problem p = square(Format::bf16, 4, 40, 16);
  const Inputs inputs = gaussian_inputs(p, 3);
  const auto plain = make_plain("plain");
  const Numerics declared = plain->numerics(p, Unit::fp32_seq);
  const Answer answer = enclose_forward(p, inputs);
  Tensor o = run(*plain, p, inputs).o;
  const TensorJudgement healthy = replay_of(p, inputs, answer, declared, o);
  EXPECT_EQ(healthy.rejected, 0);
  ASSERT_GT(healthy.single, 20);
  for (const int step : {-1, 1}) {
    Tensor moved = o;
    for_each(o.extents(), [&](Index b, Index h, Index row, Index column) {
      const std::uint64_t bits = o.view().bits(b, h, row, column);
      moved.view().set_bits(b, h, row, column, bits + static_cast<std::uint64_t>(step));
    });
    const TensorJudgement judged = replay_of(p, inputs, answer, declared, moved);
    EXPECT_GE(judged.rejected, healthy.single);
    ASSERT_TRUE(judged.worst.has_value());
    EXPECT_EQ(judged.worst->verdict, Verdict::reject);
    EXPECT_TRUE(judged.worst->replayed);
    EXPECT_FALSE(judged.worst->reason.empty());
  }
}

TEST(ReplayForward, LeavesToTheBudgetWhatMayLeaveItsRange) {
  Problem p = square(Format::bf16, 1, 4, 1);
  p.scale = 1;
  Inputs inputs = gaussian_inputs(p, 1);
  for (Index j = 0; j < 4; ++j) set(inputs.v, 0, 0, j, 0, 0x1.8p126);
  const TensorJudgement o = replay_run(*make_plain("plain"), p, inputs, Unit::fp32_seq);
  EXPECT_EQ(o.left, 1);
  EXPECT_EQ(o.judged, 0);
  set(inputs.q, 0, 0, 0, 0, NAN);
  EXPECT_EQ(replay_run(*make_plain("plain"), p, inputs, Unit::fp32_seq).left, 1);
}

TEST(ReplayForward, SaysNothingOfDeadRows) {
  Problem p = square(Format::f16, 3, 2, 4);
  p.right = -1;
  p.align = Align::top_left;  // row 0 sees nothing
  const TensorJudgement o =
      replay_run(*make_plain("plain"), p, gaussian_inputs(p, 1), Unit::fp32_seq);
  EXPECT_EQ(o.judged + o.left, 2 * 4);
  EXPECT_EQ(o.rejected, 0);
}

}  // namespace
}  // namespace attest::replay_forward_test
