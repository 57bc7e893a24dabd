// Goal: a subject on the device is the same subject: through program and protocol its outputs are
// those of the emulator bit for bit, whatever the shapes and strides, and where the device fails
// the run has crashed.
#include "harness/subjects/device_subject.hpp"

#include <gtest/gtest.h>

#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "tests/harness/subjects/stand_in_device.hpp"

namespace attest::device_subject_test {
namespace {

constexpr std::uint64_t kSeed = 20;
constexpr std::uint64_t kCases = 12;
const RunSettings kOnDevice{.unit = Unit::device};

std::unique_ptr<Subject> tiled_named(const std::string& name) {
  for (DescribedSubject& made : tiled_subjects()) {
    if (made.subject->name() == name) return std::move(made.subject);
  }
  return nullptr;
}

Problem small_problem() {
  Problem problem;
  problem.batch = 2;
  problem.n_q = 3;
  problem.n_k = 5;
  problem.d_qk = 8;
  problem.d_v = 6;
  problem.lq = {3, 2};
  return problem;
}

TEST(DeviceSubject, ComputesTheBitsOfTheUnitBehindIt) {
  StandInDevice device;
  for (const Unit unit : {Unit::a100, Unit::h100}) {
    device.computes_as(std::string(name_of(unit)));
    DeviceProgram program(StandInDevice::path());
    const auto subject = with_device(tiled_named("tiled"), program);
    int compared = 0;
    for (std::uint64_t index = 0; index < kCases; ++index) {
      const Case c = draw(kSeed, index);
      if (subject->unsupported(c.problem, Unit::device)) continue;
      const Inputs inputs = materialise(c);
      const Execution there = execute(*subject, c.problem, inputs, kOnDevice);
      ASSERT_EQ(there.outcome.kind, RunOutcome::Kind::ran) << there.outcome.detail;
      EXPECT_EQ(there.outputs, execute(*subject, c.problem, inputs, {.unit = unit}).outputs)
          << to_string(c);
      ++compared;
    }
    EXPECT_GT(compared, 5);
  }
}

TEST(DeviceSubject, ComputesTheGradientsOfTheUnitBehindIt) {
  const StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  Problem p = small_problem();
  p.pass = Pass::bwd;
  for (const bool lse_gradient : {false, true}) {
    p.lse_gradient = lse_gradient;
    const Inputs inputs = materialise({p, FamilyData{"F1", kSeed}});
    for (const char* name : {"tiled", "variant/tiled-atomic-dq"}) {
      const auto subject = with_device(tiled_named(name), program);
      ASSERT_EQ(subject->unsupported(p, Unit::device), std::nullopt);
      const Execution there = execute(*subject, p, inputs, kOnDevice);
      ASSERT_EQ(there.outcome.kind, RunOutcome::Kind::ran) << there.outcome.detail;
      EXPECT_EQ(there.outputs, execute(*subject, p, inputs, {.unit = Unit::h100}).outputs) << name;
    }
  }
  EXPECT_EQ(
      with_device(tiled_named("variant/tiled-16-keys"), program)->unsupported(p, Unit::device),
      "the kernel has no backward");
}

TEST(DeviceSubject, ReadsAndWritesViewsOfAnyStrides) {
  const StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  const auto subject = with_device(tiled_named("tiled"), program);
  const Problem p = small_problem();
  Inputs inputs = zero_inputs(p);
  for (std::size_t i = 0; i < inputs.v.bytes().size(); i += 2) {
    inputs.v.bytes()[i] = static_cast<std::byte>(i);  // distinct subnormals
  }
  const Execution dense = execute(*subject, p, inputs, kOnDevice);
  ASSERT_EQ(dense.outcome.kind, RunOutcome::Kind::ran) << dense.outcome.detail;

  Tensor wide(p.out, {p.batch, p.heads_q, p.n_q, 2 * p.d_v});
  TensorView every_other = wide.view();
  every_other.extents = p.o_extents();
  every_other.strides[3] = 2;
  Tensor lse(Format::f32, p.lse_extents());
  const RunOutcome outcome = subject->run(p, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                                          {every_other, lse.view()}, kOnDevice);
  ASSERT_EQ(outcome.kind, RunOutcome::Kind::ran) << outcome.detail;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.n_q; ++i) {
      for (Index d = 0; d < p.d_v; ++d) {
        EXPECT_EQ(wide.view().bits(b, 0, i, 2 * d), dense.outputs.o.view().bits(b, 0, i, d));
        EXPECT_EQ(wide.view().bits(b, 0, i, 2 * d + 1), 0u);
      }
    }
  }
}

TEST(DeviceSubject, HasCrashedWhereTheDeviceFails) {
  StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  const auto subject = with_device(tiled_named("tiled"), program);
  const Problem p = small_problem();
  for (const char* fault : {"dies-in-the-middle", "cuda-error", "wrong-size"}) {
    device.goes_wrong_once(fault);
    DeviceProgram fresh(StandInDevice::path());
    const auto faulty = with_device(tiled_named("tiled"), fresh);
    const Execution lost = execute(*faulty, p, zero_inputs(p), kOnDevice);
    EXPECT_EQ(lost.outcome.kind, RunOutcome::Kind::crashed) << fault;
    EXPECT_NE(lost.outcome.detail, "") << fault;
    const Execution next = execute(*faulty, p, zero_inputs(p), kOnDevice);
    EXPECT_EQ(next.outcome.kind, RunOutcome::Kind::ran) << fault << next.outcome.detail;
  }
}

TEST(DeviceSubject, DeclaresTheSameNumericsWithTheDevicesUnit) {
  DeviceProgram nowhere("/nowhere/attest-device");
  const auto plain = tiled_named("variant/tiled-fused");
  const auto subject = with_device(tiled_named("variant/tiled-fused"), nowhere);
  Numerics numerics = plain->numerics(small_problem(), Unit::h100);
  EXPECT_EQ(subject->numerics(small_problem(), Unit::h100), numerics);
  numerics.unit = Unit::device;
  EXPECT_EQ(subject->numerics(small_problem(), Unit::device), numerics);
  EXPECT_EQ(subject->name(), plain->name());
}

TEST(DeviceSubject, SaysWhyItDeclinesTheDevice) {
  StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  const auto tiled = with_device(tiled_named("tiled"), program);
  EXPECT_EQ(tiled->unsupported(small_problem(), Unit::device), std::nullopt);
  Problem large = small_problem();
  large.d_qk = 300;
  EXPECT_EQ(tiled->unsupported(large, Unit::device), "the kernel takes dqk up to 256, not 300");
  EXPECT_EQ(with_device(make_plain("plain"), program)->unsupported(small_problem(), Unit::device),
            "plain exists on the emulator only");
  device.finds_no_device("no driver");
  DeviceProgram blind(StandInDevice::path());
  const auto subject = with_device(tiled_named("tiled"), blind);
  EXPECT_EQ(subject->unsupported(small_problem(), Unit::device), "no device: no driver");
  EXPECT_EQ(subject->unsupported(small_problem(), Unit::h100), std::nullopt);
}

}  // namespace
}  // namespace attest::device_subject_test
