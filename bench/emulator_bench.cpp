// What the emulator costs: waiting, starting a block, tile products, and a whole head of attention.
//
// Ratios are to a peer measured in the same run: `of_bare` to the same product without lanes around
// it, `of_plain` to the scalar kernel `plain` on the same head.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

#include "core/random.hpp"
#include "kernels/attention/tiled_run.hpp"
#include "kernels/canaries/plain.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {
namespace {

// Of this process, so that a busy machine does not show; the best of some, since noise only adds.
double best_nanoseconds(int rounds, const std::function<void()>& work) {
  double best = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::clock();
    work();
    best = std::min(best, 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

template <class Body>
struct OneWarp {
  static constexpr int kThreads = 32, kSharedBytes = 0;
  Body body;
  void operator()() const { body(); }
};

// Times `repeats` of what `body(repeats)` does in each lane of one warp, and counts one of them as
// `name`.
template <class Body>
double time_in_warp(benchmark::State& state, const char* name, int repeats, Body body) {
  constexpr int kRounds = 5;
  Emulator emulator({.detect_races = false});
  const auto kernel = [body, repeats] { body(repeats); };
  double best = 1e18;
  for (auto _ : state) {
    best = std::min(best, best_nanoseconds(kRounds, [&] {
                      emulator.launch(OneWarp<decltype(kernel)>{kernel}, {});
                    }));
  }
  state.counters[name] = best / repeats;
  return best / repeats;
}

void wait_for_warp(benchmark::State& state) {
  time_in_warp(state, "ns_a_wait", 10'000, [](int repeats) {
    for (int i = 0; i < repeats; ++i) sync_warp();
  });
}
BENCHMARK(wait_for_warp);

void exchange_in_warp(benchmark::State& state) {
  time_in_warp(state, "ns_an_exchange", 10'000, [](int repeats) {
    auto x = static_cast<float>(lane_index());
    for (int i = 0; i < repeats; ++i) x = shuffle_xor(x, 1);
    benchmark::DoNotOptimize(x);
  });
}
BENCHMARK(exchange_in_warp);

// Of 128 lanes that do nothing.
struct Idle {
  static constexpr int kThreads = 128, kSharedBytes = 32 * 1024;
  void operator()() const {}
};
void start_a_block(benchmark::State& state) {
  constexpr int kBlocks = 1000, kRounds = 3;
  Emulator emulator({.detect_races = state.range(0) != 0});
  double best = 1e18;
  for (auto _ : state) {
    best = std::min(best, best_nanoseconds(kRounds, [&] { emulator.launch(Idle{}, {kBlocks}); }));
  }
  state.counters["ns_a_block"] = best / kBlocks;
}
BENCHMARK(start_a_block)->ArgName("races")->Arg(0)->Arg(1);

void start_a_launch(benchmark::State& state) {
  Emulator emulator({.detect_races = false, .threads = static_cast<int>(state.range(0))});
  for (auto _ : state) emulator.launch(Idle{}, {2});
}
BENCHMARK(start_a_launch)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

double nanoseconds_of_bare_product(MatrixUnit unit) {
  constexpr int kTimes = 500, kTiles = 8, kRounds = 5;
  PackedA a;
  PackedB b[kTiles];
  PackedC c[kTiles] = {};
  std::ranges::fill(a.pack[0], a.pack[4 - 1] + 32, pack<Fp16>(0.75f, -0.1f));
  for (PackedB& tile : b) std::ranges::fill(tile.pack[0], tile.pack[1] + 32, pack<Fp16>(1, 0.3f));
  const double all = best_nanoseconds(kRounds, [&] {
    for (int i = 0; i < kTimes; ++i) {
      multiply_accumulate<Fp16>(unit, a, b, c, kTiles);
      benchmark::DoNotOptimize(c);
    }
  });
  return all / kTimes / kTiles;
}

template <int kTiles>
void multiply_in_warp(benchmark::State& state, MatrixUnit unit) {
  Emulator emulator({.unit = unit, .detect_races = false});
  const double bare = nanoseconds_of_bare_product(unit);
  const auto body = [] {
    constexpr int kTimes = 2000 / kTiles;
    FragmentA<Fp16> a;
    FragmentB<Fp16> b[kTiles];
    FragmentC c[kTiles] = {};
    std::ranges::fill(a.pack, pack<Fp16>(0.75f, -0.1f));
    for (auto& tile : b) std::ranges::fill(tile.pack, pack<Fp16>(1, 0.3f));
    for (int i = 0; i < kTimes; ++i) mma_m16n8k16(c, a, b);
    benchmark::DoNotOptimize(c);
  };
  double best = 1e18;
  for (auto _ : state) {
    best = std::min(
        best, best_nanoseconds(3, [&] { emulator.launch(OneWarp<decltype(body)>{body}, {}); }));
  }
  const double each = best / (2000 / kTiles * kTiles);
  state.counters["ns_a_product"] = each;
  state.counters["of_bare"] = each / bare;
}
// One head of 1,024 queries and keys, d = 64, f16.
class Head {
 public:
  Head()
      : inputs_(zero_inputs(problem_)),
        o_(Format::f16, problem_.o_extents()),
        lse_(Format::f32, problem_.lse_extents()) {
    fill(inputs_.q, kTensorQ);
    fill(inputs_.k, kTensorK);
    fill(inputs_.v, kTensorV);
  }

  [[nodiscard]] double nanoseconds_of_plain() {
    const auto plain = make_plain("plain");
    return best_nanoseconds(3, [&] { (void)plain->run(problem_, inputs(), outputs(), {}); });
  }
  void run_tiled(const Emulation& emulation) {
    Emulator emulator(emulation);
    launch_tiled<Fp16, 64, TiledConfig{}>(emulator, problem_, inputs(), outputs());
    ATTEST_EXPECTS(emulator.report().clean());
  }

 private:
  static Problem problem_of_head() {
    Problem p;
    p.n_q = p.n_k = 1024;
    p.d_qk = p.d_v = 64;
    p.scale = default_scale(64);
    return p;
  }
  static void fill(Tensor& tensor, std::uint32_t id) {
    const Extents extents = tensor.extents();
    for (Index row = 0; row < extents[2]; ++row) {
      for (Index column = 0; column < extents[3]; ++column) {
        const auto at = [](Index x) { return static_cast<std::uint32_t>(x); };
        const double value = gaussian(1, {id, 0, 0, at(row), at(column)});
        tensor.view().set_bits(0, 0, row, column, round_to_bits(Format::f16, value));
      }
    }
  }
  [[nodiscard]] ForwardInputs inputs() {
    return {inputs_.q.view(), inputs_.k.view(), inputs_.v.view()};
  }
  [[nodiscard]] ForwardOutputs outputs() { return {o_.view(), lse_.view()}; }

  Problem problem_ = problem_of_head();
  Inputs inputs_;
  Tensor o_, lse_;
};

void run_head(benchmark::State& state, MatrixUnit unit, bool detect_races) {
  static Head head;
  static const double plain = head.nanoseconds_of_plain();
  double best = 1e18;
  for (auto _ : state) {
    best = std::min(best, best_nanoseconds(1, [&] {
                      head.run_tiled({.unit = unit, .detect_races = detect_races});
                    }));
  }
  state.counters["best_ms"] = best / 1e6;
  state.counters["of_plain"] = best / plain;
}
struct NamedUnit {
  const char* name;
  MatrixUnit unit;
};
constexpr NamedUnit kMatrixUnits[] = {{"fp32-seq", MatrixUnit::sequential()},
                                      {"exact-rn", MatrixUnit::exact()},
                                      {"v100", MatrixUnit::v100()},
                                      {"a100", MatrixUnit::a100()},
                                      {"h100", MatrixUnit::h100()}};

void register_for_all_units() {
  using benchmark::RegisterBenchmark;
  for (const auto& [name, unit] : kMatrixUnits) {
    const std::string products = std::string("multiply_in_warp/") + name + "/tiles:";
    RegisterBenchmark((products + "1").c_str(), multiply_in_warp<1>, unit);
    RegisterBenchmark((products + "4").c_str(), multiply_in_warp<4>, unit);
    RegisterBenchmark((products + "8").c_str(), multiply_in_warp<8>, unit);
  }
  for (const auto& [name, unit] : kMatrixUnits) {
    const std::string head = std::string("run_head/") + name + "/races:";
    RegisterBenchmark((head + "0").c_str(), run_head, unit, false)->Unit(benchmark::kMillisecond);
    RegisterBenchmark((head + "1").c_str(), run_head, unit, true)->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  attest::register_for_all_units();
  benchmark::RunSpecifiedBenchmarks();
}
