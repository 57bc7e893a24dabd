// What a proof costs: the oracle in binary64 against the same answer without one.
//
// The peer is what people compare kernels with: two products of matrices by the same BLAS, a row
// maximum and the same exponential, with as many threads. Ratios are to it, in the same run.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <vector>

#include "bench/heads.hpp"
#include "bench/other_routes.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "oracle/lanes.hpp"

namespace attest {
namespace {

ATTEST_WIDEST_LANES double exponentials(double* s, Index n, double scale) {
  Lanes largest = Lanes{} - 1e300;
  Lanes x;
  for (Index j = 0; j < n; j += kLanes) {
    load(s + j, x);
    x = x * scale;
    store(x, s + j);
    largest = larger(largest, x);
  }
  const double m = largest_of(largest);
  Lanes sum = {};
  for (Index j = 0; j < n; j += kLanes) {
    load(s + j, x);
    const Lanes w = exp_of(x - m);
    store(w, s + j);
    sum += w;
  }
  return sum_of(sum);
}

// O in binary64 without a proof.
class Peer {
 public:
  Peer(const Problem& p, const Inputs& inputs) : p_(p), inputs_(inputs) {}

  // Of the fastest run so far.
  [[nodiscard]] double seconds_in_products() const { return in_products_; }

  void run() {
    double in_products = 0;
    const auto n = static_cast<std::size_t>(p_.n_k);
    const auto d = static_cast<std::size_t>(p_.d_qk);
    const std::vector<double> q = widen(inputs_.q);
    const std::vector<double> k = widen(inputs_.k);
    const std::vector<double> v = widen(inputs_.v);
    constexpr std::size_t kRows = 256;
    std::vector<double> s(kRows * n);
    o_.resize(n * d);
    for (std::size_t first = 0; first < n; first += kRows) {
      const auto rows = static_cast<int>(std::min(kRows, n - first));
      in_products += seconds_of([&] {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, int(n), int(d), 1,
                    q.data() + first * d, int(d), k.data(), int(d), 0, s.data(), int(n));
      });
      std::vector<double> sums(kRows);
      for (std::size_t r = 0; r < std::size_t(rows); ++r) {
        sums[r] = exponentials(s.data() + r * n, p_.n_k, p_.scale);
      }
      in_products += seconds_of([&] {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, int(d), int(n), 1, s.data(),
                    int(n), v.data(), int(d), 0, o_.data() + first * d, int(d));
      });
      for (std::size_t r = 0; r < std::size_t(rows); ++r) {
        for (std::size_t c = 0; c < d; ++c) o_[(first + r) * d + c] /= sums[r];
      }
    }
    in_products_ = std::min(in_products_, in_products);
  }

 private:
  const Problem& p_;
  const Inputs& inputs_;
  std::vector<double> o_;
  double in_products_ = 1e18;
};

void certified_forward(benchmark::State& state) {
  const Problem p = head_of(state.range(0), state.range(1), state.range(2) != 0);
  const Inputs inputs = gaussian_inputs(p);
  openblas_set_num_threads(1);
  Peer peer(p, inputs);
  double ours = 1e18;
  double theirs = 1e18;
  for (auto _ : state) {
    for (int round = 0; round < (p.n_q > 4096 ? 1 : 5); ++round) {
      theirs = std::min(theirs, seconds_of([&] { peer.run(); }));
      ours = std::min(
          ours, seconds_of([&] { benchmark::DoNotOptimize(enclose_in_binary64(p, inputs)); }));
    }
  }
  const double pairs = static_cast<double>(p.n_q) * static_cast<double>(p.n_k);
  state.counters["ns_a_pair"] = 1e9 * ours / pairs;
  state.counters["peer_ns_a_pair"] = 1e9 * theirs / pairs;
  state.counters["of_peer"] = ours / theirs;
  const double peak = peak_flops();
  const double flops = 4 * pairs * static_cast<double>(p.d_qk);
  state.counters["peer_gflops"] = 1e-9 * flops / theirs;
  state.counters["products_of_peak"] = flops / peer.seconds_in_products() / peak;
}
BENCHMARK(certified_forward)
    ->ArgNames({"n", "d", "causal"})
    ->ArgsProduct({{256, 1024, 2048, 4096, 8192, 16384}, {64, 128}, {0, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// Shorter problems for the slow ones: their time is the same for each pair.
void slow_routes(benchmark::State& state) {
  const Problem whole = head_of(512, 64, false);
  const Inputs inputs = gaussian_inputs(whole);
  Problem few = whole;
  few.n_q = 8;
  const Inputs few_inputs = gaussian_inputs(few);
  Problem some = whole;
  some.n_q = 64;
  const Inputs some_inputs = gaussian_inputs(some);
  openblas_set_num_threads(1);
  for (auto _ : state) {
    double ours = 1e18;
    for (int round = 0; round < 5; ++round) {
      ours = std::min(
          ours, seconds_of([&] { benchmark::DoNotOptimize(enclose_in_binary64(whole, inputs)); }));
    }
    const double ours_a_row = ours / static_cast<double>(whole.n_q);
    const double doubled = seconds_of(
        [&] { benchmark::DoNotOptimize(enclose_forward(some, some_inputs, Precision::doubled)); });
    const double mpfr =
        seconds_of([&] { benchmark::DoNotOptimize(enclose_forward(few, few_inputs)); });
    const double arb = seconds_of([&] { benchmark::DoNotOptimize(by_arb(few, few_inputs)); });
    const double mpfr_loops =
        seconds_of([&] { benchmark::DoNotOptimize(by_loops_of_mpfr(few, few_inputs)); });
    const double loops =
        seconds_of([&] { benchmark::DoNotOptimize(by_loops_of_50_digits(few, few_inputs)); });
    state.counters["doubled_of_ours"] = doubled / static_cast<double>(some.n_q) / ours_a_row;
    state.counters["arb_of_ours"] = arb / static_cast<double>(few.n_q) / ours_a_row;
    state.counters["mpfr_loops_of_ours"] = mpfr_loops / static_cast<double>(few.n_q) / ours_a_row;
    state.counters["multiprecision_of_ours"] = mpfr / static_cast<double>(few.n_q) / ours_a_row;
    state.counters["loops_of_ours"] = loops / static_cast<double>(few.n_q) / ours_a_row;
  }
}
BENCHMARK(slow_routes)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest
