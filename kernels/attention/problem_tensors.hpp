// problem_tensors.hpp - host code that all kernels share: what they are told of a problem, and its
// lengths and outputs on a machine.
#pragma once

#include <algorithm>
#include <memory>
#include <numbers>
#include <vector>

#include "core/problem.hpp"
#include "kernels/attention/dense.hpp"
#include "kernels/attention/problem_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// The lengths of each batch entry. The arguments that name them must not outlive this.
class Lengths {
 public:
  explicit Lengths(const Problem& problem) {
    for (Index b = 0; b < problem.batch; ++b) {
      lq_.push_back(static_cast<int>(problem.live_queries(b)));
      lk_.push_back(static_cast<int>(problem.live_keys(b)));
    }
  }

  template <class Machine>
  void name_in(Machine& machine, ProblemArguments& arg) const {
    const auto input = [&](const char* name, const std::vector<int>& values) {
      return machine.input(name, values.data(), static_cast<std::int64_t>(values.size()));
    };
    arg.lq = input("lq", lq_);
    arg.lk = input("lk", lk_);
  }

 private:
  std::vector<int> lq_, lk_;
};

// All but the lengths.
inline void describe_problem(const Problem& p, ProblemArguments& arg) {
  constexpr Index kFar = Index{1} << 40;  // beyond every row, far from overflow
  arg.heads_q = static_cast<int>(p.heads_q);
  arg.heads_k = static_cast<int>(p.heads_k);
  arg.n_q = static_cast<int>(p.n_q);
  arg.n_k = static_cast<int>(p.n_k);
  arg.d_qk = static_cast<int>(p.d_qk);
  arg.d_v = static_cast<int>(p.d_v);
  arg.wide = p.out == Format::f32;
  arg.band = {std::clamp(p.left, -kFar, kFar), std::clamp(p.right, -kFar, kFar),
              p.align == Align::bottom_right};
  arg.scale = p.scale;
  arg.scale_log2 = static_cast<float>(static_cast<double>(p.scale) * std::numbers::log2e);
}

template <class T, class Machine>
GlobalSpan<const T> name_input(Machine& machine, const char* name, DenseInput<T>& tensor) {
  return machine.input(name, static_cast<const T*>(tensor.data()), tensor.count());
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
