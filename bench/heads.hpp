// heads.hpp - what the benchmarks of the oracle share: problems of one head, their values, time.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "core/case.hpp"
#include "core/random.hpp"

namespace attest {

// Of this process, so that a busy machine does not show.
inline double seconds_of(const std::function<void()>& work) {
  const auto start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Of the best of some runs, since noise only adds.
inline double best_seconds(int rounds, const std::function<void()>& work) {
  double best = 1e18;
  for (int round = 0; round < rounds; ++round) best = std::min(best, seconds_of(work));
  return best;
}

inline Problem head_of(Index n, Index d, bool causal) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d_qk = p.d_v = d;
  p.in = p.out = Format::f16;
  p.scale = 0.125;
  if (causal) p.right = 0;
  return p;
}

inline Inputs gaussian_inputs(const Problem& p) {
  Inputs inputs = zero_inputs(p);
  std::uint32_t tensor = 0;
  for (Tensor* x : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout}) {
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

// n queries and n keys, d = 64, f16, no mask.
struct GaussianHead {
  GaussianHead(Index n, Pass pass) : problem(head_of(n, 64, false)) {
    problem.pass = pass;
    inputs = gaussian_inputs(problem);
  }

  Problem problem;
  Inputs inputs;
};

inline std::vector<double> widen(const Tensor& x) {
  std::vector<double> wide;
  const ConstTensorView view = x.view();
  for (Index i = 0; i < view.extents[2]; ++i) {
    for (Index c = 0; c < view.extents[3]; ++c) wide.push_back(view.value(0, 0, i, c));
  }
  return wide;
}

// Products of matrices large enough for the library's best, in flops a second.
inline double peak_flops() {
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

}  // namespace attest
