// Goal: on a terminal a long run is followed in one line, no wider than the terminal and gone in
// the end; elsewhere nothing is written.
#include "harness/cli/progress_line.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <thread>

namespace attest {
namespace {

// Standard error, for as long as it lives, is a terminal of 30 columns, or a pipe.
class OtherStderr {
 public:
  explicit OtherStderr(bool terminal) : kept_(dup(STDERR_FILENO)) {
    int ends[2] = {-1, -1};
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 30;
    const int made = terminal ? openpty(&ends[0], &ends[1], nullptr, nullptr, &size) : pipe(ends);
    EXPECT_EQ(made, 0);
    from_ = ends[0];
    std::fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
  }
  OtherStderr(const OtherStderr&) = delete;
  OtherStderr& operator=(const OtherStderr&) = delete;
  ~OtherStderr() {
    restore();
    close(from_);
  }

  // What was written; standard error is the old one again.
  [[nodiscard]] std::string text() {
    std::fflush(stderr);
    std::string all;
    pollfd ready{from_, POLLIN, 0};
    char some[4096];
    while (poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) != 0) {
      const ssize_t count = read(from_, some, sizeof some);
      if (count <= 0) break;
      all.append(some, static_cast<std::size_t>(count));
    }
    restore();
    return all;
  }

 private:
  void restore() {
    if (kept_ < 0) return;
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    kept_ = -1;
  }

  int kept_;
  int from_ = -1;
};

// What is seen between two returns of the carriage.
std::vector<std::string> shown(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char letter : text) {
    if (letter == '\r') {
      lines.emplace_back();
    } else {
      lines.back() += letter;
    }
  }
  return lines;
}

TEST(ProgressLine, FollowsCasesAndThenFailuresAndIsGoneInTheEnd) {
  OtherStderr terminal(true);
  {
    ProgressLine line("rejected");
    line.show({.done = 3, .planned = 20, .rejected = 1});
    line.show({.done = 20, .planned = 20, .rejected = 2, .explained = 1, .failures = 4});
  }
  const std::vector<std::string> lines = shown(terminal.text());
  ASSERT_GE(lines.size(), 5U);
  EXPECT_TRUE(lines[1].starts_with("[3/20] 0 s  rejected 1")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("[20/20] 0 s  rejected 2")) << lines[2];
  for (const std::string& line : lines) EXPECT_LT(line.size(), 30U) << line;
  EXPECT_EQ(lines[3].find_first_not_of(' '), std::string::npos) << lines[3];
  EXPECT_EQ(lines.back(), "");
}

TEST(ProgressLine, WritesNothingWhereThereIsNoTerminal) {
  OtherStderr pipe(false);
  {
    ProgressLine line("rejected");
    line.show({.done = 3, .planned = 20});
    const StageLine stage;
  }
  EXPECT_EQ(pipe.text(), "");
}

TEST(StageLine, NamesTheStageOnceASecondIsOver) {
  OtherStderr terminal(true);
  {
    StageLine line;
    line.enter("the run of a subject with a very long name");
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  }
  const std::vector<std::string> lines = shown(terminal.text());
  ASSERT_GE(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with("[1 s] the run of a subject wi")) << lines[1];
  EXPECT_LT(lines[1].size(), 30U);
  EXPECT_EQ(lines.back(), "");
}

TEST(StageLine, ShowsNothingOfWhatIsQuick) {
  OtherStderr terminal(true);
  { const StageLine line; }
  EXPECT_EQ(terminal.text(), "");
}

}  // namespace
}  // namespace attest
