#include "harness/cli/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace attest {
namespace {

constexpr std::chrono::milliseconds kPause{100};

// A line that wraps cannot be overwritten.
std::string fitting(std::string text) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  if (known && text.size() >= size.ws_col) text.resize(size.ws_col - 1U);
  return text;
}

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
  const bool explains = progress.failures > 0;
  if (!terminal_ || (now - last_ < kPause && !explains)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text =
      fmt::format("[{}/{}] {:.0f} s  {} {}  undecided {}", progress.done, progress.planned, seconds,
                  bad_, progress.rejected, progress.undecided);
  if (explains) {
    text += fmt::format("  explaining {}/{}", std::min(progress.explained + 1, progress.failures),
                        progress.failures);
  }
  replace(text);
  std::fflush(stderr);
}

// By blanks: every terminal knows them.
void ProgressLine::replace(const std::string& whole) {
  const std::string text = fitting(whole);
  fmt::print(stderr, "\r{:<{}}", text, width_);
  width_ = text.size();
}

StageLine::StageLine() : start_(std::chrono::steady_clock::now()) {
  if (isatty(STDERR_FILENO) == 1)
    ticking_ = std::jthread([this](std::stop_token over) { tick(over); });
}

StageLine::~StageLine() {
  if (!ticking_.joinable()) return;
  ticking_.request_stop();
  ticking_.join();
}

void StageLine::enter(std::string_view stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

// Nothing within the first second: most cases are over by then.
void StageLine::tick(const std::stop_token& over) {
  using namespace std::chrono_literals;
  std::size_t width = 0;
  std::unique_lock lock(mutex_);
  while (!woken_.wait_for(lock, over, 1s, [&] { return over.stop_requested(); })) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string text = fitting(fmt::format("[{:.0f} s] {}", seconds, stage_));
    fmt::print(stderr, "\r{:<{}}", text, width);
    std::fflush(stderr);
    width = text.size();
  }
  if (width > 0) fmt::print(stderr, "\r{:<{}}\r", "", width);
}

}  // namespace attest
