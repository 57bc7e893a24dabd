// Nanoseconds of one 16x8x16 product under each model of a matrix unit, without the warp around it.
//
// `of_plain` is the ratio to the peer, measured in the same run: the same product as three nested
// loops over binary32 values.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "kernels/machine/conversions.hpp"
#include "kernels/machine/matrix_unit.hpp"

namespace attest {
namespace {

constexpr int kTiles = 8;  // as many as an attention kernel hands over at once

struct Plain {
  float a[16][16], b[16][8], c[16][8];
};

void multiply_plainly(Plain& p) {
  for (int i = 0; i < 16; ++i) {
    for (int n = 0; n < 8; ++n) {
      float sum = p.c[i][n];
      for (int k = 0; k < 16; ++k) sum += p.a[i][k] * p.b[k][n];
      p.c[i][n] = sum;
    }
  }
}

// Of this process, so that a busy machine does not show.
double nanoseconds_since(std::clock_t start) {
  return 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double nanoseconds_of_plain() {
  static const double nanoseconds = [] {
    constexpr int kTimes = 200'000;
    Plain p{};
    std::mt19937 engine(1);
    std::normal_distribution<float> normal;
    for (auto& row : p.a) std::generate(row, row + 16, [&] { return normal(engine); });
    for (auto& row : p.b) std::generate(row, row + 8, [&] { return normal(engine); });
    const auto start = std::clock();
    for (int i = 0; i < kTimes; ++i) {
      multiply_plainly(p);
      benchmark::DoNotOptimize(p);
    }
    return nanoseconds_since(start) / kTimes;
  }();
  return nanoseconds;
}

template <class Element>
void multiply(benchmark::State& state, MatrixUnit unit) {
  PackedA a;
  PackedB b[kTiles];
  PackedC c[kTiles] = {};
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  const auto draw = [&] {
    const auto low = round_to<Element>(normal(engine)).bits;
    return low | static_cast<std::uint32_t>(round_to<Element>(normal(engine)).bits) << 16;
  };
  for (auto& quarter : a.pack) std::generate(quarter, quarter + 32, draw);
  for (PackedB& tile : b) {
    for (auto& half : tile.pack) std::generate(half, half + 32, draw);
  }
  const double plain = nanoseconds_of_plain();
  const auto start = std::clock();
  for (auto _ : state) {
    multiply_accumulate<Element>(unit, a, b, c, kTiles);
    benchmark::DoNotOptimize(c);
  }
  const double each = nanoseconds_since(start) / static_cast<double>(state.iterations()) / kTiles;
  state.counters["ns_a_product"] = each;
  state.counters["of_plain"] = each / plain;
}

void plain(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(nanoseconds_of_plain());
  state.counters["ns_a_product"] = nanoseconds_of_plain();
}

void f16(benchmark::State& state, MatrixUnit unit) { multiply<Fp16>(state, unit); }
void bf16(benchmark::State& state, MatrixUnit unit) { multiply<Bf16>(state, unit); }

BENCHMARK(plain);
BENCHMARK_CAPTURE(f16, fp32_seq, MatrixUnit::sequential());
BENCHMARK_CAPTURE(bf16, fp32_seq, MatrixUnit::sequential());
BENCHMARK_CAPTURE(f16, exact_rn, MatrixUnit::exact());
BENCHMARK_CAPTURE(bf16, exact_rn, MatrixUnit::exact());
BENCHMARK_CAPTURE(f16, v100, MatrixUnit::v100());
BENCHMARK_CAPTURE(bf16, v100, MatrixUnit::v100());
BENCHMARK_CAPTURE(f16, a100, MatrixUnit::a100());
BENCHMARK_CAPTURE(bf16, a100, MatrixUnit::a100());
BENCHMARK_CAPTURE(f16, h100, MatrixUnit::h100());
BENCHMARK_CAPTURE(bf16, h100, MatrixUnit::h100());

}  // namespace
}  // namespace attest
