// What a proof costs: the oracle in binary64 against the same answer without one.
//
// The peer is what people compare kernels with: two products of matrices by the same BLAS, a row
// maximum and the same exponential, with as many threads. Ratios are to it, in the same run.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "bench/other_routes.hpp"
#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "oracle/lanes.hpp"

namespace attest {
namespace {

// Of this process, so that a busy machine does not show.
double seconds_of(const std::function<void()>& work) {
  const auto start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Problem head_of(Index n, Index d, bool causal) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d_qk = p.d_v = d;
  p.in = p.out = Format::f16;
  p.scale = 0.125;
  if (causal) p.right = 0;
  return p;
}

Inputs gaussian_inputs(const Problem& p) {
  Inputs inputs = zero_inputs(p);
  std::uint32_t tensor = 0;
  for (Tensor* x : {&inputs.q, &inputs.k, &inputs.v}) {
    const TensorView view = x->view();
    for (std::uint32_t row = 0; row < view.extents[2]; ++row) {
      for (std::uint32_t column = 0; column < view.extents[3]; ++column) {
        const double value = gaussian(7, {tensor, 0, 0, row, column});
        view.set_bits(0, 0, row, column, round_to_bits(p.in, value, Rounding::nearest_even));
      }
    }
    ++tensor;
  }
  return inputs;
}

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
  static std::vector<double> widen(const Tensor& x) {
    std::vector<double> wide;
    const ConstTensorView view = x.view();
    for (Index i = 0; i < view.extents[2]; ++i) {
      for (Index c = 0; c < view.extents[3]; ++c) wide.push_back(view.value(0, 0, i, c));
    }
    return wide;
  }

  const Problem& p_;
  const Inputs& inputs_;
  std::vector<double> o_;
  double in_products_ = 1e18;
};

// Products of matrices large enough for the library's best, in flops a second.
double peak_flops() {
  constexpr int kSize = 1536;
  const std::vector<double> a(kSize * kSize, 1.5);
  std::vector<double> c(kSize * kSize);
  double best = 1e18;
  for (int round = 0; round < 4; ++round) {
    best = std::min(best, seconds_of([&] {
                      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kSize, kSize, kSize, 1,
                                  a.data(), kSize, a.data(), kSize, 0, c.data(), kSize);
                    }));
  }
  return 2.0 * kSize * kSize * kSize / best;
}

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
