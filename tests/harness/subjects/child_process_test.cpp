// Goal: a program that runs beside us is heard, ends as it says, and never outlives its owner.
#include "harness/subjects/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/fixtures/own_folder.hpp"

namespace attest::child_process_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Deadline in(int ms) { return steady_clock::now() + milliseconds(ms); }

constexpr int kPlenty = 20'000;

TEST(ChildProcess, IsHeardToItsEnd) {
  ChildProcess child("/bin/sh", {"-c", "echo one; echo two"});
  EXPECT_EQ(child.read_all(in(kPlenty)), "one\ntwo\n");
  EXPECT_EQ(child.end_by(in(kPlenty)), "ended with status 0");
  EXPECT_EQ(child.exit_status(), 0);
}

TEST(ChildProcess, TellsHowItEnded) {
  ChildProcess exits("/bin/sh", {"-c", "exit 7"});
  EXPECT_EQ(exits.end_by(in(kPlenty)), "ended with status 7");
  ChildProcess dies("/bin/sh", {"-c", "kill -SEGV $$"});
  EXPECT_EQ(dies.end_by(in(kPlenty)), "ended by signal " + std::to_string(SIGSEGV));
  EXPECT_EQ(dies.exit_status(), std::nullopt);
}

TEST(ChildProcess, IsKilledAtTheDeadline) {
  ChildProcess child("/bin/sh", {"-c", "while :; do sleep 0.01; done"});
  EXPECT_FALSE(child.has_ended());
  EXPECT_EQ(child.read_all(in(30)), "");
  EXPECT_EQ(child.end_by(in(30)), "was killed");
  EXPECT_TRUE(child.has_ended());
}

TEST(ChildProcess, TellsWhetherItWorksOrSleeps) {
  ChildProcess sleeps("/bin/sleep", {"60"});
  ChildProcess works("/bin/sh", {"-c", "while :; do :; done"});
  while (works.processor_time() < milliseconds(50)) {
  }
  EXPECT_FALSE(works.is_asleep());
  EXPECT_EQ(works.thread_count(), 1);
  while (!sleeps.is_asleep()) {
  }
  EXPECT_LT(sleeps.processor_time(), works.processor_time());
  for (ChildProcess* child : {&sleeps, &works}) {
    EXPECT_FALSE(child->was_killed());
    child->end_by(in(0));
    EXPECT_TRUE(child->was_killed());
    EXPECT_EQ(child->thread_count(), 0);
    EXPECT_EQ(child->processor_time(), milliseconds(0));
  }
}

TEST(ChildProcess, EndsByItselfOnceItsInputIsClosed) {
  const auto before = steady_clock::now();
  { ChildProcess child("/bin/cat", {}); }
  EXPECT_LT(steady_clock::now() - before, milliseconds(1'500));  // killed it would be after 2 s
}

TEST(ChildProcess, ThatCannotStartIsOurFault) {
  const std::string error =
      error_of([] { ChildProcess child("/nowhere/attest-device", {"serve"}); });
  EXPECT_EQ(error, "ours: cannot start /nowhere/attest-device: No such file or directory");
}

}  // namespace
}  // namespace attest::child_process_test
