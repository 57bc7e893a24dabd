#include "harness/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace attest {
namespace {

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

ProgressLine::ProgressLine(const char* bad)
    : bad_(bad), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (!terminal_) return;
  replace("");
  fmt::print(stderr, "\r");
}

void ProgressLine::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < kPause) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  replace(fmt::format("[{}/{}] {:.0f} s  {} {}  undecided {}", progress.done, progress.planned,
                      seconds, bad_, progress.rejected, progress.undecided));
  std::fflush(stderr);
}

// By blanks: every terminal knows them.
void ProgressLine::replace(const std::string& text) {
  fmt::print(stderr, "\r{:<{}}", text, width_);
  width_ = text.size();
}

}  // namespace attest
