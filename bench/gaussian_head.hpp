// gaussian_head.hpp - what benchmarks share: one head of Gaussian values, and a clock that noise
// cannot set back.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>

#include "core/case.hpp"
#include "core/random.hpp"

namespace attest {

// Of this process, so that a busy machine does not show; the best of some, since noise only adds.
inline double best_seconds(int rounds, const std::function<void()>& work) {
  double best = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

inline void fill_gaussian(Tensor& tensor, std::uint32_t id) {
  const TensorView view = tensor.view();
  for (Index row = 0; row < view.extents[2]; ++row) {
    for (Index column = 0; column < view.extents[3]; ++column) {
      const auto at = [](Index x) { return static_cast<std::uint32_t>(x); };
      const double value = gaussian(1, {id, 0, 0, at(row), at(column)});
      view.set_bits(0, 0, row, column, round_to_bits(tensor.format(), value));
    }
  }
}

// n queries and n keys, d = 64, f16, no mask.
struct GaussianHead {
  GaussianHead(Index n, Pass pass) {
    problem.n_q = problem.n_k = n;
    problem.d_qk = problem.d_v = 64;
    problem.scale = default_scale(64);
    problem.pass = pass;
    inputs = zero_inputs(problem);
    fill_gaussian(inputs.q, kTensorQ);
    fill_gaussian(inputs.k, kTensorK);
    fill_gaussian(inputs.v, kTensorV);
    if (pass == Pass::bwd) fill_gaussian(inputs.dout, kTensorDout);
  }

  Problem problem;
  Inputs inputs;
};

}  // namespace attest
