// What a proof costs: gradients in binary64 by blocks against the same without one.
//
// The peer is what people compare kernels with: from a stored O and LSE, five products of matrices
// by the same BLAS and the same exponential. It has no mask and does all pairs.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "bench/heads.hpp"
#include "oracle/enclose_gradients_in_binary64.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "oracle/lanes.hpp"

namespace attest {
namespace {

// s becomes P, dp becomes dS.
ATTEST_WIDEST_LANES void score_gradients(double* s, double* dp, Index n, double scale, double lse,
                                         double d) {
  Lanes x, y;
  for (Index j = 0; j < n; j += kLanes) {
    load(s + j, x);
    load(dp + j, y);
    const Lanes p = exp_of(x * scale - lse);
    store(p, s + j);
    store(p * (y - d), dp + j);
  }
}

class Peer {
 public:
  Peer(const Problem& p, const Inputs& inputs, const Answer& forward)
      : p_(p), inputs_(inputs), forward_(forward) {}

  void run() {
    const Index n = p_.n_k;
    const Index d = p_.d_qk;
    const auto size = static_cast<std::size_t>(n * d);
    const std::vector<double> q = widen(inputs_.q);
    const std::vector<double> k = widen(inputs_.k);
    const std::vector<double> v = widen(inputs_.v);
    const std::vector<double> dout = widen(inputs_.dout);
    dq_.assign(size, 0);
    dk_.assign(size, 0);
    dv_.assign(size, 0);
    constexpr Index kRows = 256;
    std::vector<double> s(static_cast<std::size_t>(kRows * n));
    std::vector<double> dp(s.size());
    for (Index first = 0; first < n; first += kRows) {
      const Index rows = std::min(kRows, n - first);
      const std::size_t at = static_cast<std::size_t>(first * d);
      multiply(CblasNoTrans, CblasTrans, rows, n, d, q.data() + at, d, k.data(), d, 0, s.data(), n);
      multiply(CblasNoTrans, CblasTrans, rows, n, d, dout.data() + at, d, v.data(), d, 0, dp.data(),
               n);
      for (Index r = 0; r < rows; ++r) {
        const auto row = static_cast<std::size_t>(first + r);
        double mean = 0;
        for (std::size_t c = 0; c < static_cast<std::size_t>(d); ++c) {
          const std::size_t e = row * static_cast<std::size_t>(d) + c;
          mean += dout[e] * forward_.o[e].lo;
        }
        score_gradients(s.data() + r * n, dp.data() + r * n, n, p_.scale, forward_.lse[row].lo,
                        mean);
      }
      multiply(CblasNoTrans, CblasNoTrans, rows, d, n, dp.data(), n, k.data(), d, 0,
               dq_.data() + at, d);
      multiply(CblasTrans, CblasNoTrans, n, d, rows, dp.data(), n, q.data() + at, d, 1, dk_.data(),
               d);
      multiply(CblasTrans, CblasNoTrans, n, d, rows, s.data(), n, dout.data() + at, d, 1,
               dv_.data(), d);
    }
    for (double& x : dq_) x *= p_.scale;
    for (double& x : dk_) x *= p_.scale;
  }

 private:
  static void multiply(CBLAS_TRANSPOSE a_as, CBLAS_TRANSPOSE b_as, Index rows, Index columns,
                       Index inner, const double* a, Index ld_a, const double* b, Index ld_b,
                       double beta, double* c, Index ld_c) {
    cblas_dgemm(CblasRowMajor, a_as, b_as, int(rows), int(columns), int(inner), 1, a, int(ld_a), b,
                int(ld_b), beta, c, int(ld_c));
  }

  const Problem& p_;
  const Inputs& inputs_;
  const Answer& forward_;
  std::vector<double> dq_;
  std::vector<double> dk_;
  std::vector<double> dv_;
};

void certified_backward(benchmark::State& state) {
  Problem p = head_of(state.range(0), state.range(1), state.range(2) != 0);
  p.pass = Pass::bwd;
  const Inputs inputs = gaussian_inputs(p);
  openblas_set_num_threads(1);
  Answer forward = enclose_in_binary64(p, inputs);
  forward.elements = {};  // moments are no business of the backward
  Peer peer(p, inputs, forward);
  double ours = 1e18;
  double theirs = 1e18;
  for (auto _ : state) {
    for (int round = 0; round < (p.n_q > 4096 ? 1 : 5); ++round) {
      theirs = std::min(theirs, seconds_of([&] { peer.run(); }));
      ours = std::min(ours, seconds_of([&] {
                        benchmark::DoNotOptimize(enclose_gradients_in_binary64(p, inputs, forward));
                      }));
    }
  }
  const double pairs = static_cast<double>(p.n_q) * static_cast<double>(p.n_k);
  state.counters["ns_a_pair"] = 1e9 * ours / pairs;
  state.counters["peer_ns_a_pair"] = 1e9 * theirs / pairs;
  state.counters["of_peer"] = ours / theirs;
  state.counters["peer_gflops"] = 1e-9 * 10 * pairs * static_cast<double>(p.d_qk) / theirs;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(certified_backward)
    ->ArgNames({"n", "d", "causal"})
    ->ArgsProduct({{512, 2048, 16384}, {64, 128}, {0, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest
