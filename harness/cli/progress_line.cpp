#include "harness/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace attest {
namespace {

constexpr std::chrono::milliseconds kPause{100};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(const char* bad)
    : bad_(bad), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (terminal_) fmt::print(stderr, "{}", kClearLine);
}

void ProgressLine::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < kPause) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "{}[{}/{}] {:.0f} s  {} {}  undecided {}", kClearLine, progress.done,
             progress.planned, seconds, bad_, progress.rejected, progress.undecided);
  std::fflush(stderr);
}

}  // namespace attest
