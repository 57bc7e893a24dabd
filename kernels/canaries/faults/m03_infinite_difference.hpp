// M03 - a dead first tile is rescaled by exp(-inf - -inf).
//
// Stands for C20 (dead tile, live row): the difference is NaN, and stays in both sums. A tile with
// a live key before it hides it. Smallest: 17 keys of which the row sees the last alone.
#pragma once

#include <cmath>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct InfiniteDifference : NoFault {
  static constexpr std::string_view kName = "canary/m03-infinite-difference";
  static constexpr std::string_view kCode = "M03";
  static constexpr std::string_view kClasses = "C20, C02";
  static constexpr std::string_view kFault = "a dead first tile is rescaled by exp(-inf - -inf)";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static void dead_tile(RowState& row) {
    const float alpha = std::exp(row.m - row.m);
    row.l *= alpha;
    for (float& acc : row.acc) acc *= alpha;
  }
};

}  // namespace attest
