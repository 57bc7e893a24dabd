// M15 - windows that reach one key too far or too near, to both sides, or without end.
//
// Stands for C14 (window edges). Bands without a left end hide the first three, bands of positive
// width the last. Smallest: two queries and two keys with left = 0 for the first and the third; one
// query and one key with left = 0 for the second; with left = -1 for the last.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct WindowTooWide : NoFault {
  static constexpr std::string_view kName = "canary/m15-window-too-wide";
  static constexpr std::string_view kCode = "M15";
  static constexpr std::string_view kClasses = "C14";
  static constexpr std::string_view kFault = "a window reaches one key further to the left";
  static constexpr std::string_view kLaw = "non_interference";
  static constexpr Index kMostKeys = 64;

  static Band band(const Problem& p) {
    return {p.left == kUnlimited ? kUnlimited : p.left + 1, p.right};
  }
};

struct WindowTooNarrow : NoFault {
  static constexpr std::string_view kName = "canary/m15-window-too-narrow";
  static constexpr std::string_view kCode = "M15";
  static constexpr std::string_view kClasses = "C14";
  static constexpr std::string_view kFault = "a window reaches one key less to the left";
  static constexpr std::string_view kLaw = "one_key";
  static constexpr Index kMostKeys = 64;

  static Band band(const Problem& p) {
    return {p.left == kUnlimited ? kUnlimited : p.left - 1, p.right};
  }
};

struct WindowOfBothSides : NoFault {
  static constexpr std::string_view kName = "canary/m15-window-of-both-sides";
  static constexpr std::string_view kCode = "M15";
  static constexpr std::string_view kClasses = "C14";
  static constexpr std::string_view kFault = "a window of the left holds to the right as well";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static Band band(const Problem& p) { return {p.left, std::min(p.left, p.right)}; }
};

struct NegativeWindow : NoFault {
  static constexpr std::string_view kName = "canary/m15-negative-window";
  static constexpr std::string_view kCode = "M15";
  static constexpr std::string_view kClasses = "C14";
  static constexpr std::string_view kFault = "a negative width means none";
  static constexpr std::string_view kLaw = "dead_rows";
  static constexpr Index kMostKeys = 64;

  static Band band(const Problem& p) {
    return {p.left < 0 ? kUnlimited : p.left, p.right < 0 ? kUnlimited : p.right};
  }
};

}  // namespace attest
