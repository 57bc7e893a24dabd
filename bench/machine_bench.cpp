// How fast the emulated machine is, unit by unit: warp products and heads of attention a second.
//
// Two peers, measured in the same run. `of_plain`: a product as three nested loops over binary32
// values, a head by the scalar kernel `plain`. `of_fp32_seq`: the same on the unit fp32-seq, the
// one whose arithmetic is the host's own. Both say how many times as long the unit takes.
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "bench/heads.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/plain.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {
namespace {

constexpr int kTiles = 8;  // products that a kernel hands over at once
constexpr int kTimes = 500;

struct PlainProduct {
  float a[16][16], b[16][8], c[16][8];
};

void multiply_plainly(PlainProduct& p) {
  for (int i = 0; i < 16; ++i) {
    for (int n = 0; n < 8; ++n) {
      float sum = p.c[i][n];
      for (int k = 0; k < 16; ++k) sum += p.a[i][k] * p.b[k][n];
      p.c[i][n] = sum;
    }
  }
}

double seconds_of_plain_product() {
  static const double seconds = [] {
    PlainProduct p{};
    for (int n = 0; n < 16 * 16; ++n) p.a[n / 16][n % 16] = 0.75f - 0.01f * static_cast<float>(n);
    for (int n = 0; n < 16 * 8; ++n) p.b[n / 8][n % 8] = 0.3f + 0.01f * static_cast<float>(n);
    return best_seconds(5,
                        [&] {
                          for (int i = 0; i < kTimes * kTiles; ++i) {
                            multiply_plainly(p);
                            benchmark::DoNotOptimize(p);
                          }
                        }) /
           (kTimes * kTiles);
  }();
  return seconds;
}

struct Products {
  static constexpr int kThreads = 32, kSharedBytes = 0;
  void operator()() const {
    FragmentA<Fp16> a;
    FragmentB<Fp16> b[kTiles];
    FragmentC c[kTiles] = {};
    std::ranges::fill(a.pack, pack<Fp16>(0.75f, -0.1f));
    for (auto& tile : b) std::ranges::fill(tile.pack, pack<Fp16>(1, 0.3f));
    for (int i = 0; i < kTimes; ++i) mma_m16n8k16(c, a, b);
    benchmark::DoNotOptimize(c);
  }
};

// By a whole warp, exchange of operands included.
double seconds_of_product(Unit unit) {
  static std::map<Unit, double> known;
  if (const auto found = known.find(unit); found != known.end()) return found->second;
  Emulator emulator({.unit = *matrix_unit_of(unit), .detect_races = false});
  const double all = best_seconds(5, [&] { emulator.launch(Products{}, {}); });
  return known[unit] = all / (kTimes * kTiles);
}

// One pass over one head, races looked for as in a check.
double seconds_of_head(const Subject& subject, Unit unit, Pass pass) {
  constexpr Index kRows = 512;
  static const GaussianHead head(kRows, Pass::bwd);
  const Problem& p = head.problem;
  Tensor o(p.out, p.o_extents()), lse(Format::f32, p.lse_extents());
  Tensor dq(p.out, p.q_extents()), dk(p.out, p.k_extents()), dv(p.out, p.v_extents());
  const Inputs& x = head.inputs;
  const RunSettings settings{unit};
  const auto forward = [&] {
    const RunOutcome outcome =
        subject.run(p, {x.q.view(), x.k.view(), x.v.view()}, {o.view(), lse.view()}, settings);
    ATTEST_EXPECTS(outcome.kind == RunOutcome::Kind::ran);
  };
  if (pass == Pass::fwd) return best_seconds(2, forward);
  forward();
  return best_seconds(1, [&] {
    const RunOutcome outcome =
        subject.run_backward(p,
                             {x.q.view(), x.k.view(), x.v.view(), std::as_const(o).view(),
                              std::as_const(lse).view(), x.dout.view()},
                             {dq.view(), dk.view(), dv.view()}, settings);
    ATTEST_EXPECTS(outcome.kind == RunOutcome::Kind::ran);
  });
}

double seconds_of_tiled(Unit unit, Pass pass) {
  static const auto tiled = std::move(tiled_subjects().front().subject);
  static std::map<std::pair<Unit, Pass>, double> known;
  const auto [at, is_new] = known.try_emplace({unit, pass}, 0);
  if (is_new) at->second = seconds_of_head(*tiled, unit, pass);
  return at->second;
}

double seconds_of_plain(Pass pass) {
  static const auto plain = make_plain("plain");
  static std::map<Pass, double> known;
  const auto [at, is_new] = known.try_emplace(pass, 0);
  if (is_new) at->second = seconds_of_head(*plain, Unit::fp32_seq, pass);
  return at->second;
}

void count(benchmark::State& state, double seconds, double plain, double fp32_seq) {
  state.counters["a_second"] = 1 / seconds;
  state.counters["of_plain"] = seconds / plain;
  state.counters["of_fp32_seq"] = seconds / fp32_seq;
}

void products(benchmark::State& state, Unit unit) {
  double seconds = 0;
  for (auto _ : state) seconds = seconds_of_product(unit);
  count(state, seconds, seconds_of_plain_product(), seconds_of_product(Unit::fp32_seq));
}

void heads(benchmark::State& state, Unit unit, Pass pass) {
  double seconds = 0;
  for (auto _ : state) seconds = seconds_of_tiled(unit, pass);
  count(state, seconds, seconds_of_plain(pass), seconds_of_tiled(Unit::fp32_seq, pass));
}

void register_for_all_units() {
  using benchmark::RegisterBenchmark;
  for (const Unit unit : kUnits) {
    if (!matrix_unit_of(unit)) continue;
    const std::string name(name_of(unit));
    RegisterBenchmark(("products/" + name).c_str(), products, unit)->Iterations(1);
    RegisterBenchmark(("forward/" + name).c_str(), heads, unit, Pass::fwd)->Iterations(1);
    RegisterBenchmark(("backward/" + name).c_str(), heads, unit, Pass::bwd)->Iterations(1);
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
