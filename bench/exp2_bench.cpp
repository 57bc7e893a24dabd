// exp2_bench.cpp - what an exponential and a logarithm cost a kernel in the emulator.
//
// The peer is the C library's std::exp2 and std::log for binary32, in the same run; the counter
// "arguments" is their rate, so that ratios of rates are ratios of cost. Arguments are those of a
// softmax: exponents in [-16, 0], row sums in [1, 1024].
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "kernels/machine/exp2_model.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kArguments = 4096;

std::vector<float> arguments(float from, float to) {
  std::vector<float> x(kArguments);
  for (std::uint32_t n = 0; n < kArguments; ++n) {
    const auto draw = static_cast<float>(random_bits(1, {60, 0, 0, n, 0})[0]);
    x[n] = from + (to - from) * 0x1p-32F * draw;
  }
  return x;
}

// One argument at a time, as a lane of the emulator meets them: the result of each reaches memory.
template <class Function>
void measure(benchmark::State& state, const std::vector<float>& x, const Function& function) {
  for (auto _ : state) {
    for (const float argument : x) {
      float y = function(argument);
      benchmark::DoNotOptimize(y);
    }
  }
  state.counters["arguments"] =
      benchmark::Counter(kArguments, benchmark::Counter::kIsIterationInvariantRate);
}

void exp2_of_the_library(benchmark::State& state) {
  measure(state, arguments(-16, 0), [](float x) { return std::exp2(x); });
}
BENCHMARK(exp2_of_the_library);

void exp2_poly_alone(benchmark::State& state) {
  measure(state, arguments(-16, 0), [](float x) { return exp2_poly(x); });
}
BENCHMARK(exp2_poly_alone);

void exp2_model(benchmark::State& state) {
  const Exp2Model model{static_cast<Exp2Model::Kind>(state.range(0)), 2, true, 1};
  measure(state, arguments(-16, 0), [&](float x) { return exp2_of(model, x); });
}
BENCHMARK(exp2_model)
    ->ArgName("kind")
    ->DenseRange(static_cast<int>(Exp2Model::Kind::exact_rn),
                 static_cast<int>(Exp2Model::Kind::worst_mixed));

void log_of_the_library(benchmark::State& state) {
  measure(state, arguments(1, 1024), [](float x) { return std::log(x); });
}
BENCHMARK(log_of_the_library);

void log_poly_alone(benchmark::State& state) {
  measure(state, arguments(1, 1024), [](float x) { return log_poly(x); });
}
BENCHMARK(log_poly_alone);

}  // namespace
}  // namespace attest

BENCHMARK_MAIN();
