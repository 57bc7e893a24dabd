// forward_tensors.hpp - a problem's tensors on a machine, and the arguments that name them.
//
// Host code, written once: Machine is the Emulator here and CudaMachine under nvcc.
#pragma once

#include "core/subject.hpp"
#include "kernels/attention/forward_arguments.hpp"
#include "kernels/attention/problem_tensors.hpp"

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
        lengths_(problem),
        q_(inputs.q),
        k_(inputs.k),
        v_(inputs.v),
        lse_(outputs.lse) {
    if (problem.out == Format::f32) {
      o_wide_ = std::make_unique<DenseOutput<float>>(outputs.o);
    } else {
      o_ = std::make_unique<DenseOutput<Element>>(outputs.o);
    }
    describe_problem(problem, arg_);
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
  void name_tensors() {
    arg_.q = name_input(machine_, "q", q_);
    arg_.k = name_input(machine_, "k", k_);
    arg_.v = name_input(machine_, "v", v_);
    if (o_) arg_.o = machine_.output("o", o_->data(), o_->count());
    if (o_wide_) arg_.o_wide = machine_.output("o", o_wide_->data(), o_wide_->count());
    arg_.lse = machine_.output("lse", lse_.data(), lse_.count());
    lengths_.name_in(machine_, arg_);
  }

  Machine& machine_;
  Lengths lengths_;
  DenseInput<Element> q_, k_, v_;
  std::unique_ptr<DenseOutput<Element>> o_;
  std::unique_ptr<DenseOutput<float>> o_wide_;
  DenseOutput<float> lse_;
  ForwardArguments<Element> arg_{};
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
