// M27 - tiles add to dQ in an order that the schedule chooses, and a fixed one is declared.
//
// Stands for C25 (determinism promised, not delivered) and models the double writers of C21. Two
// tiles hide it, since a sum of two commutes, and so do nearly all outputs of 16 bits, which are
// summed in order here. Smallest: 33 keys, outputs in f32.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct OrderOfTheMoment : NoFault {
  static constexpr std::string_view kName = "canary/m27-order-of-the-moment";
  static constexpr std::string_view kCode = "M27";
  static constexpr std::string_view kClasses = "C21, C25";
  static constexpr std::string_view kFault = "dQ sums its tiles in an order of the schedule";
  static constexpr std::string_view kLaw = "determinism";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Index tile_in_turn(const Problem& p, Index n, Index tiles, std::uint64_t seed) {
    if (p.out != Format::f32) return n;
    return (n + static_cast<Index>(seed % static_cast<std::uint64_t>(tiles))) % tiles;
  }
};

}  // namespace attest
