// Goal: whatever a worker does, its owner learns of it in time, and nothing of it is left.
#include "harness/subjects/isolation/worker.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "harness/subjects/isolation/call_shapes.hpp"
#include "tests/core/refusal.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::worker_test {
namespace {

using Kind = RunOutcome::Kind;

WorkerPlan plan_of(const std::string& plugin, int patience = 20'000) {
  return {ATTEST_WORKER_PROGRAM,
          {"plugin", built_plugin(plugin).substr(kPluginScheme.size())},
          std::chrono::milliseconds(patience)};
}

// A call on zeros, one of each tensor.
WorkerRequest forward_call(const std::string& subject) {
  const Problem problem;
  WorkerRequest request;
  request.step = WorkerStep::forward;
  request.subject = subject;
  request.problem = to_string(problem);
  SliceLayout layout(Edge::right);
  for (const CallShape& shape : input_shapes(problem, WorkerStep::forward)) {
    request.inputs.push_back(layout.place(shape.size(), shape.size(), false));
  }
  for (const CallShape& shape : output_shapes(problem, WorkerStep::forward)) {
    request.outputs.push_back(layout.place(shape.size(), shape.size(), true));
  }
  return request;
}

RunOutcome outcome_of(const WorkerPlan& plan, const std::string& subject) {
  Worker worker(plan, 0);
  worker.send(forward_call(subject));
  WorkerReply reply;
  RunOutcome outcome = worker.receive(reply);
  EXPECT_EQ(worker.is_usable(), outcome.kind == Kind::ran);
  return outcome;
}

int count_children() {
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  int count = 0;
  for (std::string child; children >> child;) ++count;
  return count;
}

TEST(Worker, AnswersAsOftenAsItIsAsked) {
  Worker worker(plan_of("attention"), 0);
  for (int n = 0; n < 3; ++n) {
    worker.send(forward_call("attention"));
    WorkerReply reply;
    ASSERT_EQ(worker.receive(reply).kind, Kind::ran);
    EXPECT_EQ(reply.kind, WorkerReply::Kind::done);
  }
}

TEST(Worker, RefusesWhatItDoesNotHave) {
  Worker worker(plan_of("attention"), 0);
  worker.send(forward_call("other"));
  WorkerReply reply;
  ASSERT_EQ(worker.receive(reply).kind, Kind::ran);
  EXPECT_EQ(reply.kind, WorkerReply::Kind::failed);
  EXPECT_EQ(reply.detail, "no subject other");
  EXPECT_TRUE(worker.is_usable());
}

TEST(Worker, ThatGivesNoAnswerIsKilledInTime) {
  const auto before = std::chrono::steady_clock::now();
  const RunOutcome outcome = outcome_of(plan_of("cheat_18_endless", 200), "hangs");
  EXPECT_EQ(outcome.kind, Kind::hung);
  EXPECT_EQ(outcome.detail, "no answer within 200 ms; its process was killed");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(10'000));
}

// It closes its stream in the middle of a frame: whoever waits for more would wait in vain.
TEST(Worker, ThatClosesItsStreamAndLivesOnHasForged) {
  Worker worker(plan_of("faulty"), 0);
  WorkerRequest request = forward_call("faulty");
  const auto truncated_frame = static_cast<std::uint16_t>(round_to_bits(Format::f16, 5));
  const std::span<std::byte> q = worker.arena().data(request.inputs.front());
  std::memcpy(q.data(), &truncated_frame, sizeof truncated_frame);
  worker.send(std::move(request));
  WorkerReply reply;
  const RunOutcome outcome = worker.receive(reply);
  EXPECT_EQ(outcome.kind, Kind::malformed_reply);
  EXPECT_EQ(outcome.detail, "its process closed its stream in place of a reply, and lived on");
}

TEST(Worker, ThatEndsIsToldApartFromOneThatForges) {
  const RunOutcome ended = outcome_of(plan_of("cheat_17_exit"), "exit");
  EXPECT_EQ(ended.kind, Kind::crashed);
  EXPECT_EQ(ended.detail, "its process ended with status 0 before it replied");
  EXPECT_EQ(outcome_of(plan_of("cheat_14_forged"), "forged").kind, Kind::malformed_reply);
}

TEST(Worker, ThatIsKilledIsToldApartFromOneThatDiesOtherwise) {
  Worker worker(plan_of("cheat_18_endless"), 0);
  worker.send(forward_call("hangs"));
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  pid_t child = 0;
  ASSERT_TRUE(children >> child);
  kill(child, SIGKILL);
  WorkerReply reply;
  const RunOutcome killed = worker.receive(reply);
  EXPECT_EQ(killed.kind, Kind::crashed) << killed.detail;
  EXPECT_TRUE(was_killed(killed)) << killed.detail;
  EXPECT_FALSE(was_killed(outcome_of(plan_of("cheat_17_exit"), "exit")));
  EXPECT_FALSE(was_killed(outcome_of(plan_of("cheat_18_endless", 200), "hangs")));
  EXPECT_FALSE(was_killed({}));
}

TEST(Worker, SaysWhereItWentOutOfBounds) {
  const RunOutcome past = outcome_of(plan_of("cheat_20_one_over"), "past");
  EXPECT_EQ(past.kind, Kind::out_of_bounds);
  EXPECT_EQ(past.detail, "wrote byte 1 past the end of o");
  EXPECT_EQ(outcome_of(plan_of("cheat_20_one_over"), "read-past").detail,
            "read byte 1 past the end of v");
}

TEST(Worker, LeavesNoProcessBehind) {
  const int before = count_children();
  {
    Worker idle(plan_of("attention"), 0);
    Worker busy(plan_of("cheat_18_endless", 100), 0);
    busy.send(forward_call("hangs"));
    WorkerReply reply;
    EXPECT_EQ(busy.receive(reply).kind, Kind::hung);
    EXPECT_GE(count_children(), before + 1);
  }
  EXPECT_EQ(count_children(), before);
}

TEST(Worker, ThatCannotStartIsOurFault) {
  WorkerPlan plan = plan_of("attention");
  plan.program = "/nowhere/attest-worker";
  EXPECT_EQ(refusal_of([&] { Worker worker(plan, 0); }).blame, Blame::ours);
}

TEST(WorkerPool, KeepsWorkersForTheNextWhoTakesOne) {
  WorkerPool pool(plan_of("attention"));
  auto first = pool.take(0);
  Worker* const address = first.get();
  pool.give_back(std::move(first));
  auto again = pool.take(0);
  EXPECT_EQ(again.get(), address);
  auto other = pool.take(0);
  EXPECT_NE(other.get(), address);
  pool.give_back(std::move(again));
  EXPECT_GE(pool.take(std::uint64_t{1} << 27)->arena().size(), std::uint64_t{1} << 27);
}

TEST(WorkerPool, DropsAWorkerOfNoUse) {
  WorkerPool pool(plan_of("attention"));
  auto worker = pool.take(0);
  worker->retire();
  pool.give_back(std::move(worker));
  EXPECT_TRUE(pool.take(0)->is_usable());
}

TEST(WorkerProgram, LiesBesideTheProgramUnlessTheEnvironmentSaysOtherwise) {
  EXPECT_EQ(worker_program_path().filename(), "attest-worker");
  setenv("ATTEST_WORKER", "/elsewhere/w", 1);
  EXPECT_EQ(worker_program_path(), "/elsewhere/w");
  unsetenv("ATTEST_WORKER");
}

}  // namespace
}  // namespace attest::worker_test
