// progress_line.hpp - one line on stderr that follows a long run, on a terminal only: of a
// campaign, or of one case and what is being done with it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "harness/campaign/campaign.hpp"

namespace attest {

class ProgressLine {
 public:
  // `bad` names what Progress::rejected counts: "rejected", or "caught" for canaries.
  explicit ProgressLine(const char* bad);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);

 private:
  void replace(const std::string& text);

  const char* bad_;
  std::size_t width_ = 0;  // of what stands there
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_{};
};

// "[12 s] law containment of plain", from the first second on.
class StageLine {
 public:
  StageLine();
  ~StageLine();
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void enter(std::string_view stage);

 private:
  void tick(const std::stop_token& over);

  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::string stage_;
  std::jthread ticking_;
};

}  // namespace attest
