// Goal: subjects have the backward that the table of forms gives them, say so, and declare all of
// it.
#include "kernels/attention/tiled_backward.hpp"

#include <gtest/gtest.h>

#include "judge/backward_arithmetic.hpp"
#include "kernels/attention/backward_forms.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/tiled.hpp"
#include "tests/kernels/attention/backward_shapes.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::tiled_backward_test {
namespace {

std::unique_ptr<Subject> subject_named(std::string_view name) {
  for (DescribedSubject& each : tiled_subjects()) {
    if (each.subject->name() == name) return std::move(each.subject);
  }
  return nullptr;
}

TEST(TiledBackward, BelongsToTheSubjectsOfItsTableAndToNoOther) {
  const Problem p = backward_shape(9, 9, 9, 9);
  const auto has_row = [](std::string_view name) {
    for (const BackwardForm& form : kBackwardForms) {
      if (name == form.name || (name.starts_with(form.name) && form.weights.approximate))
        return true;
    }
    return false;
  };
  std::size_t with_backward = 0;
  for (const DescribedSubject& each : tiled_subjects()) {
    const auto reason = each.subject->unsupported(p, Unit::a100);
    EXPECT_EQ(!reason, has_row(each.subject->name())) << each.subject->name();
    EXPECT_EQ(reason.value_or("the kernel has no backward"), "the kernel has no backward");
    with_backward += reason ? 0 : 1;
  }
  EXPECT_GE(with_backward, std::size(kBackwardForms));
  for (const DescribedSubject& each : materialising_subjects()) {
    EXPECT_EQ(each.subject->unsupported(p, Unit::a100), "the kernel has no backward");
  }
}

TEST(TiledBackward, RunsAsASubject) {
  for (const BackwardForm& form : kBackwardForms) {
    const auto subject = subject_named(form.name);
    ASSERT_NE(subject, nullptr) << form.name;
    const Problem p = backward_shape(20, 30, 24, 10);
    Inputs inputs = gaussian_inputs(p, 13);
    fill(inputs.dout, 0);
    const GradientTensors zeros = run_backward(*subject, p, inputs);
    for (const Tensor* each : {&zeros.dq, &zeros.dk, &zeros.dv}) {
      for_each(each->extents(), [&](Index b, Index h, Index row, Index column) {
        EXPECT_EQ(each->view().value(b, h, row, column), 0) << form.name;
      });
    }
  }
}

TEST(TiledBackward, DeclaresItsTiles) {
  const Problem narrow = backward_shape(9, 9, 64, 64), wide = backward_shape(9, 9, 64, 200);
  const Numerics tiled = subject_named("tiled")->numerics(narrow, Unit::h100);
  EXPECT_EQ(tiled.dq_sum, (DqSum{DqSum::Kind::one_chain, 32}));
  EXPECT_EQ(tiled.tile_q, 32);
  EXPECT_EQ(tiled.ds_format, narrow.in);
  EXPECT_EQ(tiled.d_source, DSource::stored_o);
  EXPECT_EQ(tiled.p_in_ds, PInDs::f32);
  EXPECT_EQ(tiled.group_sum, GroupSum{});
  EXPECT_EQ(subject_named("tiled")->numerics(wide, Unit::h100).tile_q, 16);
  EXPECT_EQ(subject_named("variant/tiled-atomic-dq")->numerics(narrow, Unit::h100).dq_sum,
            (DqSum{DqSum::Kind::atomic, 64}));
}

TEST(TiledBackward, LeavesNoFieldOfItsDeclarationOpen) {
  for (const BackwardForm& form : kBackwardForms) {
    const Problem p = backward_shape(9, 9, 9, 9);
    const Numerics declared = subject_named(form.name)->numerics(p, Unit::a100);
    EXPECT_TRUE(resolve_backward(declared, p).shared.assumed.empty()) << form.name;
  }
}

TEST(TiledBackward, DeclinesMoreBlocksOfKeysThanALaunchHas) {
  Problem p = backward_shape(1, 1, 1, 1);
  p.batch = p.heads_q = p.heads_k = 65'535;
  p.n_q = 0;
  const auto reason = subject_named("tiled")->unsupported(p, Unit::h100);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("blocks of keys"), std::string::npos) << *reason;
  p.pass = Pass::fwd;
  EXPECT_FALSE(subject_named("tiled")->unsupported(p, Unit::h100));
}

}  // namespace
}  // namespace attest::tiled_backward_test
