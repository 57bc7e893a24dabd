// progress_line.hpp - one line on stderr that follows a long run, on a terminal only.
#pragma once

#include <chrono>
#include <string>

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

}  // namespace attest
