// M33 and M38 - the scale, or the band, is that of the first call with these shapes.
//
// Stands for C30 (a cache whose key lacks the scale) and C26 (stale plan state). A program that
// makes one call for each shape hides both. Smallest: one query, one key for the scale, two keys
// for the band, and a second call.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct CachedScale : NoFault {
  static constexpr std::string_view kName = "canary/m33-cached-scale";
  static constexpr std::string_view kCode = "M33";
  static constexpr std::string_view kClasses = "C30";
  static constexpr std::string_view kFault = "the scale is that of the first call of this shape";
  static constexpr std::string_view kLaw = "two_calls";
  static constexpr Index kMostKeys = 64;

  static void take_from(const Problem& first, Problem& p) { p.scale = first.scale; }
};

struct StaleBand : NoFault {
  static constexpr std::string_view kName = "canary/m38-stale-band";
  static constexpr std::string_view kCode = "M38";
  static constexpr std::string_view kClasses = "C26";
  static constexpr std::string_view kFault = "the band is that of the first call of this shape";
  static constexpr std::string_view kLaw = "two_calls";
  static constexpr Index kMostKeys = 64;

  static void take_from(const Problem& first, Problem& p) {
    p.left = first.left;
    p.right = first.right;
    p.align = first.align;
  }
};

}  // namespace attest
