// exp2_values.hpp - the machine's 2^x of a run of consecutive bit patterns.
#pragma once

#include <vector>

#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// ex2.approx.ftz: as exp2_approx, with subnormal arguments and results flushed.
ATTEST_DEVICE float exp2_approx_flushed(float x) {
#if defined(__CUDACC__)
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  Exp2Model model = current_block->emulation().exp2;
  model.flush = true;
  return exp2_of(model, x);
#endif
}

// y[i] = 2^(the binary32 of pattern first + i).
struct Exp2Values {
  static constexpr int kThreads = 256;
  static constexpr int kSharedBytes = 0;
  std::uint32_t first;
  std::int64_t count;
  bool flushed;
  GlobalSpan<float> y;

  ATTEST_DEVICE void operator()() const {
    const std::int64_t i = std::int64_t{block_index().x} * kThreads + thread_index();
    if (i >= count) return;
    const auto pattern = static_cast<std::int32_t>(first + static_cast<std::uint32_t>(i));
    const float x = float_of_bits(pattern);
    y.store(i, flushed ? exp2_approx_flushed(x) : exp2_approx(x));
  }
};

template <class Machine>
std::vector<float> exp2_values(Machine& machine, std::uint32_t first, std::int64_t count,
                               bool flushed) {
  std::vector<float> y(static_cast<std::size_t>(count));
  const Exp2Values kernel{first, count, flushed, machine.output("y", y.data(), count)};
  const std::int64_t blocks = (count + Exp2Values::kThreads - 1) / Exp2Values::kThreads;
  machine.launch(kernel, Grid{static_cast<int>(blocks), 1, 1});
  machine.finish();
  return y;
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
