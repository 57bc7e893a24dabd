// spilled_weights.hpp - a fault of the tiled kernel: P goes through global memory.
//
// What tiling is there to avoid, by a kernel whose numbers are right to the last bit: only its
// traffic tells. Each lane writes its own weights and reads the same ones back.
#pragma once

#include "core/problem.hpp"
#include "kernels/attention/forward_arguments.hpp"
#include "kernels/attention/warp_tiles.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, bool kSpills>
struct SpilledWeights {  // of a kernel that does not
  template <class Machine>
  void name_on(Machine&, const Problem&) {}
};

template <class Element>
struct SpilledWeights<Element, true> {
  GlobalSpan<Element> p;  // [batch, heads_q, n_q, n_k]

  template <class Machine>
  void name_on(Machine& machine, const Problem& problem) {
    p = machine.template scratch<Element>(
        "p", problem.batch * problem.heads_q * problem.n_q * problem.n_k);
  }

  // The weights of a warp's 16 rows and of a tile of keys, there and back, where they exist.
  template <int kSteps>
  ATTEST_DEVICE void pass(WarpOperand<Element, kSteps>& weights,
                          const ForwardArguments<Element>& arg, std::int64_t q_row, int warp_query,
                          int first_key) const {
    for (int n = 0; n < 8 * kSteps; ++n) {
      const int step = n / 8, i = n / 2 % 4, half = n % 2;
      const int row = warp_query + row_of_lane(i % 2);
      const int key = first_key + 16 * step + 8 * (i / 2) + 2 * (lane_index() % 4) + half;
      if (row >= arg.n_q || key >= arg.n_k) continue;
      const std::int64_t at = (q_row + row) * arg.n_k + key;
      std::uint32_t& pack = weights.step[step].pack[i];
      p.store(at, Element{static_cast<std::uint16_t>(pack >> (16 * half))});
      pack = (pack & ~(0xffffu << (16 * half))) | std::uint32_t(p.load(at).bits) << (16 * half);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
