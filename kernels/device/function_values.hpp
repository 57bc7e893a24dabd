// function_values.hpp - a function of the machine at a run of consecutive bit patterns: what sweeps
// over all of binary32 are made of.
#pragma once

#include <vector>

#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {

enum class SweptFunction : std::uint8_t { exp2_approx, exp2_approx_flushed, exp2_poly, log_poly };

inline namespace ATTEST_MACHINE {

ATTEST_DEVICE float value_of(SweptFunction function, float x) {
  switch (function) {
    case SweptFunction::exp2_approx: return exp2_approx(x);
    case SweptFunction::exp2_approx_flushed: return exp2_approx_flushed(x);
    case SweptFunction::exp2_poly: return exp2_poly(x);
    default: return log_poly(x);
  }
}

// y[i] = the function at the binary32 of pattern first + i.
struct FunctionValues {
  static constexpr int kThreads = 256;
  static constexpr int kSharedBytes = 0;
  SweptFunction function;
  std::uint32_t first;
  std::int64_t count;
  GlobalSpan<float> y;

  ATTEST_DEVICE void operator()() const {
    const std::int64_t i = std::int64_t{block_index().x} * kThreads + thread_index();
    if (i >= count) return;
    const auto pattern = static_cast<std::int32_t>(first + static_cast<std::uint32_t>(i));
    y.store(i, value_of(function, float_of_bits(pattern)));
  }
};

template <class Machine>
std::vector<float> function_values(Machine& machine, SweptFunction function, std::uint32_t first,
                                   std::int64_t count) {
  std::vector<float> y(static_cast<std::size_t>(count));
  const FunctionValues kernel{function, first, count, machine.output("y", y.data(), count)};
  const std::int64_t blocks = (count + FunctionValues::kThreads - 1) / FunctionValues::kThreads;
  machine.launch(kernel, Grid{static_cast<int>(blocks), 1, 1});
  machine.finish();
  return y;
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
