// Goal: whatever goes wrong in the program that owns the GPU becomes one sentence about one case,
// and the next case is computed as if nothing had happened.
#include "harness/subjects/device_program.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/case.hpp"
#include "tests/harness/subjects/stand_in_device.hpp"

namespace attest::device_program_test {
namespace {

constexpr std::chrono::milliseconds kShort{1'000};

DeviceRequest some_request() {
  Problem problem;
  problem.n_q = problem.n_k = 3;
  problem.d_qk = problem.d_v = 8;
  const Inputs inputs = zero_inputs(problem);
  return {"tiled",
          to_string(problem),
          DeviceStep::forward,
          {inputs.q.bytes(), inputs.k.bytes(), inputs.v.bytes()},
          {Tensor(problem.out, problem.o_extents()).bytes(),
           Tensor(Format::f32, problem.lse_extents()).bytes()}};
}

// The fault costs the case it happens in, with `words` for its reason, and no other.
void expect_one_lost_case(const std::string& fault, const std::string& words) {
  StandInDevice device;
  DeviceProgram program(StandInDevice::path(), kShort);
  const DeviceReply healthy = program.ask(some_request());
  ASSERT_EQ(healthy.kind, DeviceReply::Kind::ran) << healthy.detail;
  device.goes_wrong_once(fault);
  DeviceProgram fresh(StandInDevice::path(), kShort);  // whose program knows of the fault
  const DeviceReply lost = fresh.ask(some_request());
  EXPECT_TRUE(device.went_wrong());
  EXPECT_EQ(lost.kind, DeviceReply::Kind::failed);
  EXPECT_NE(lost.detail.find(words), std::string::npos) << lost.detail;
  EXPECT_EQ(fresh.ask(some_request()), healthy);
  EXPECT_EQ(fresh.ask(some_request()), healthy);
}

TEST(DeviceProgram, SurvivesOneThatDiesInTheMiddleOfItsReply) {
  expect_one_lost_case("dies-in-the-middle",
                       "the device program ended by signal 9, before it replied");
}

TEST(DeviceProgram, SurvivesOneThatExitsInsteadOfReplying) {
  expect_one_lost_case("exits", "the device program ended with status 7, before it replied");
}

TEST(DeviceProgram, SurvivesOneThatExitsAtOnce) {
  expect_one_lost_case("exits-at-once",
                       "the device program ended with status 5, before its greeting");
}

TEST(DeviceProgram, SurvivesOneThatHangs) {
  expect_one_lost_case("hangs", "gave no answer within 1000 ms and was killed, before it replied");
}

TEST(DeviceProgram, SurvivesGarbage) {
  expect_one_lost_case("garbage", "does not speak this protocol, in its reply");
}

TEST(DeviceProgram, SurvivesAReplyLongerThanAnyThatCouldCome) {
  expect_one_lost_case("endless", "does not speak this protocol, before it replied");
}

TEST(DeviceProgram, SurvivesAnotherVersion) {
  expect_one_lost_case("greets-otherwise", "does not speak this protocol, before its greeting");
}

TEST(DeviceProgram, PassesOnWhatCudaSaidAndStartsAFreshOne) {
  expect_one_lost_case("cuda-error", "cudaMemcpy: cudaErrorIllegalAddress (invented)");
}

TEST(DeviceProgram, ServesThreadsOneAfterTheOther) {
  const StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  const DeviceReply first = program.ask(some_request());
  ASSERT_EQ(first.kind, DeviceReply::Kind::ran) << first.detail;
  std::vector<DeviceReply> replies(8);
  {
    std::vector<std::jthread> threads;
    for (DeviceReply& reply : replies) {
      threads.emplace_back([&] { reply = program.ask(some_request()); });
    }
  }
  for (const DeviceReply& reply : replies) EXPECT_EQ(reply, first);
}

TEST(DeviceProgram, IsThereWhenItsProbeFindsADevice) {
  const StandInDevice device;
  EXPECT_EQ(DeviceProgram(StandInDevice::path()).unavailable(), std::nullopt);
}

TEST(DeviceProgram, IsUnavailableForTheReasonThatItsProbeGives) {
  StandInDevice device;
  device.finds_no_device("cudaGetDeviceCount: cudaErrorInsufficientDriver (invented)");
  EXPECT_EQ(DeviceProgram(StandInDevice::path()).unavailable(),
            "no device: cudaGetDeviceCount: cudaErrorInsufficientDriver (invented)");
}

TEST(DeviceProgram, IsUnavailableWhereItWasNotBuilt) {
  EXPECT_EQ(DeviceProgram("/nowhere/attest-device").unavailable(),
            "no program /nowhere/attest-device; attest-device is built where nvcc is found");
  EXPECT_EQ(DeviceProgram("/nowhere/attest-device").ask(some_request()).detail,
            "cannot start /nowhere/attest-device: No such file or directory");
}

TEST(DeviceProgram, IsAskedForItsDeviceOnce) {
  StandInDevice device;
  DeviceProgram program(StandInDevice::path());
  EXPECT_EQ(program.unavailable(), std::nullopt);
  device.finds_no_device("gone");
  EXPECT_EQ(program.unavailable(), std::nullopt);
}

TEST(DeviceProgram, StandsBesideTheRunningProgramUnlessTheEnvironmentSaysOtherwise) {
  EXPECT_EQ(device_program_path().filename(), "attest-device");
  EXPECT_TRUE(std::filesystem::exists(device_program_path().parent_path()));
  setenv("ATTEST_DEVICE_PROGRAM", "/elsewhere/program", 1);
  EXPECT_EQ(device_program_path(), "/elsewhere/program");
  unsetenv("ATTEST_DEVICE_PROGRAM");
}

}  // namespace
}  // namespace attest::device_program_test
