// forward_tensors.hpp - a problem's tensors on a machine, and the arguments that name them.
//
// Host code, written once: Machine is the Emulator here and CudaMachine under nvcc.
#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "core/subject.hpp"
#include "kernels/attention/dense.hpp"
#include "kernels/attention/forward_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// Owns whatever has to be copied on the way in or out. Element is the format of q, k and v; outputs
// are in it or in binary32.
template <class Element, class Machine>
class ForwardTensors {
 public:
  ForwardTensors(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                 const ForwardOutputs& outputs)
      : machine_(machine),
        problem_(problem),
        q_(inputs.q),
        k_(inputs.k),
        v_(inputs.v),
        lse_(outputs.lse) {
    for (Index b = 0; b < problem.batch; ++b) {
      lq_.push_back(static_cast<int>(problem.live_queries(b)));
      lk_.push_back(static_cast<int>(problem.live_keys(b)));
    }
    if (problem.out == Format::f32) {
      o_wide_ = std::make_unique<DenseOutput<float>>(outputs.o);
    } else {
      o_ = std::make_unique<DenseOutput<Element>>(outputs.o);
    }
    name_tensors();
  }

  [[nodiscard]] const ForwardArguments<Element>& arguments() const { return arg_; }

  // Waits for the launches; then outputs stand where their views say.
  void finish() {
    machine_.finish();
    if (o_) o_->settle();
    if (o_wide_) o_wide_->settle();
    lse_.settle();
  }

 private:
  template <class T>
  GlobalSpan<const T> input(const char* name, DenseInput<T>& tensor) {
    return machine_.input(name, static_cast<const T*>(tensor.data()), tensor.count());
  }
  GlobalSpan<const int> lengths(const char* name, const std::vector<int>& values) {
    return machine_.input(name, values.data(), static_cast<std::int64_t>(values.size()));
  }

  void name_tensors() {
    constexpr Index kFar = Index{1} << 40;  // beyond every row, far from overflow
    const Problem& p = problem_;
    arg_.q = input("q", q_);
    arg_.k = input("k", k_);
    arg_.v = input("v", v_);
    if (o_) arg_.o = machine_.output("o", o_->data(), o_->count());
    if (o_wide_) arg_.o_wide = machine_.output("o", o_wide_->data(), o_wide_->count());
    arg_.lse = machine_.output("lse", lse_.data(), lse_.count());
    arg_.lq = lengths("lq", lq_);
    arg_.lk = lengths("lk", lk_);
    arg_.heads_q = static_cast<int>(p.heads_q);
    arg_.heads_k = static_cast<int>(p.heads_k);
    arg_.n_q = static_cast<int>(p.n_q);
    arg_.n_k = static_cast<int>(p.n_k);
    arg_.d_qk = static_cast<int>(p.d_qk);
    arg_.d_v = static_cast<int>(p.d_v);
    arg_.wide = p.out == Format::f32;
    arg_.band = {std::clamp(p.left, -kFar, kFar), std::clamp(p.right, -kFar, kFar),
                 p.align == Align::bottom_right};
    arg_.scale = p.scale;
    arg_.scale_log2 = static_cast<float>(static_cast<double>(p.scale) * std::numbers::log2e);
  }

  Machine& machine_;
  const Problem& problem_;
  DenseInput<Element> q_, k_, v_;
  std::unique_ptr<DenseOutput<Element>> o_;
  std::unique_ptr<DenseOutput<float>> o_wide_;
  DenseOutput<float> lse_;
  std::vector<int> lq_, lk_;
  ForwardArguments<Element> arg_{};
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
