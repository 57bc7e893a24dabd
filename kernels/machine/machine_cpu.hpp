// machine_cpu.hpp - the names of machine.hpp on the CPU. Each forwards to the block whose lane
// runs.
//
// Collectives are told apart by their place in the source alone, see Block::collect: lanes that
// meet in one line but in different turns of a loop are not reported.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "kernels/machine/block.hpp"
#include "kernels/machine/conversions.hpp"
#include "kernels/machine/memory_cpu.hpp"

namespace attest {
inline namespace cpu {

inline Index3 block_index() {
  const BlockPlace place = current_block->place();
  return {place.x, place.y, place.z};
}
inline int thread_index() { return current_block->thread(); }
inline int lane_index() { return current_block->thread() % kWarpSize; }
inline int warp_index() { return current_block->thread() / kWarpSize; }

inline void sync_block(Where where = Where::current()) { current_block->sync_block(where); }
inline void sync_warp(Where where = Where::current()) { current_block->sync_warp(where); }

// Every lane receives the value of the lane whose number differs from its own by xor with `mask`.
// A mask that names no lane is reported, and gives its lane a NaN.
inline float shuffle_xor(float value, int mask, Where where = Where::current()) {
  struct Operand {
    float value;
    int mask;
  } mine{value, mask};
  const bool names_a_lane = mask >= 0 && mask < kWarpSize;
  if (!names_a_lane && !current_block->has_reported(Finding::Kind::bad_argument, where)) {
    current_block->report({Finding::Kind::bad_argument, where, where,
                           "mask " + std::to_string(mask) + " names no lane of a warp"});
  }
  current_block->collect(mine, where, [](const std::array<Operand*, kWarpSize>& lanes) {
    std::array<float, kWarpSize> before;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) before[lane] = lanes[lane]->value;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      lanes[lane]->value = before[(lane ^ static_cast<std::size_t>(lanes[lane]->mask)) % kWarpSize];
    }
  });
  return names_a_lane ? mine.value : poison_value<float>();
}

inline float multiply_add(float x, float y, float z) { return std::fma(x, y, z); }
inline std::int32_t bits_of_float(float x) { return std::bit_cast<std::int32_t>(x); }
inline float float_of_bits(std::int32_t bits) { return std::bit_cast<float>(bits); }

// The special function unit's approximations: ex2.approx and lg2.approx on a GPU, here as chosen by
// the run (exp2) and within an ulp (log).
inline float exp2_approx(float x) { return exp2_of(current_block->emulation().exp2, x); }
// ex2.approx.ftz; the model flushes results only, and 2^x is 1 at subnormals either way.
inline float exp2_approx_flushed(float x) {
  Exp2Model model = current_block->emulation().exp2;
  model.flush = true;
  return exp2_of(model, x);
}
inline float log_approx(float x) { return static_cast<float>(std::log(static_cast<double>(x))); }

// Two values in one register, `low` in the low half.
template <class Element>
std::uint32_t pack(float low, float high) {
  return round_to<Element>(low).bits | static_cast<std::uint32_t>(round_to<Element>(high).bits)
                                           << 16;
}

// c[t] += a * b[t] for a row of tiles, by the run's matrix unit.
template <class Element, int kTiles>
void mma_m16n8k16(FragmentC (&c)[kTiles], const FragmentA<Element>& a,
                  const FragmentB<Element> (&b)[kTiles], Where where = Where::current()) {
  struct Operand {
    const FragmentA<Element>* a;
    const FragmentB<Element>* b;
    FragmentC* c;
  } mine{&a, b, c};
  current_block->collect(mine, where, [](const std::array<Operand*, kWarpSize>& lanes) {
    // Static, since another lane computes each time: on its own stack this would be cold memory.
    static thread_local PackedA packed_a;
    static thread_local PackedB packed_b[kTiles];
    static thread_local PackedC packed_c[kTiles];
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const Operand& from = *lanes[static_cast<std::size_t>(lane)];
      for (int i = 0; i < 4; ++i) packed_a.pack[i][lane] = from.a->pack[i];
      for (int tile = 0; tile < kTiles; ++tile) {
        for (int i = 0; i < 2; ++i) packed_b[tile].pack[i][lane] = from.b[tile].pack[i];
        for (int half = 0; half < 2; ++half) {
          std::memcpy(packed_c[tile].pair(half, lane), &from.c[tile].value[2 * half],
                      2 * sizeof(float));
        }
      }
    }
    multiply_accumulate<Element>(current_block->emulation().unit, packed_a, packed_b, packed_c,
                                 kTiles);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      for (int tile = 0; tile < kTiles; ++tile) {
        for (int half = 0; half < 2; ++half) {
          std::memcpy(&lanes[static_cast<std::size_t>(lane)]->c[tile].value[2 * half],
                      packed_c[tile].pair(half, lane), 2 * sizeof(float));
        }
      }
    }
  });
}

template <class Element>
void mma_m16n8k16(FragmentC& c, const FragmentA<Element>& a, const FragmentB<Element>& b,
                  Where where = Where::current()) {
  FragmentC row[1] = {c};
  const FragmentB<Element> column[1] = {b};
  mma_m16n8k16(row, a, column, where);
  c = row[0];
}

}  // namespace cpu
}  // namespace attest
