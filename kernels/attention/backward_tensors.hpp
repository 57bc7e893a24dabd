// backward_tensors.hpp - what a backward reads and writes on a machine, and the arguments that name
// it.
//
// Host code, written once: Machine is the Emulator here and CudaMachine under nvcc.
#pragma once

#include "core/subject.hpp"
#include "kernels/attention/backward_arguments.hpp"
#include "kernels/attention/problem_tensors.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// A gradient in whichever format outputs have.
template <class Element>
class GradientOutput {
 public:
  explicit GradientOutput(const TensorView& view) {
    if (view.format == Format::f32) {
      wide_ = std::make_unique<DenseOutput<float>>(view);
    } else {
      narrow_ = std::make_unique<DenseOutput<Element>>(view);
    }
  }

  template <class Machine>
  GradientSpan<Element> name_in(Machine& machine, const char* name) {
    GradientSpan<Element> span;
    if (narrow_) span.narrow = machine.output(name, narrow_->data(), narrow_->count());
    if (wide_) span.wide = machine.output(name, wide_->data(), wide_->count());
    return span;
  }
  void settle() {
    if (narrow_) narrow_->settle();
    if (wide_) wide_->settle();
  }

 private:
  std::unique_ptr<DenseOutput<Element>> narrow_;
  std::unique_ptr<DenseOutput<float>> wide_;
};

// Owns whatever has to be copied on the way in or out. Element is the format of q, k, v and dout; o
// and the gradients are in it or in binary32.
template <class Element, class Machine>
class BackwardTensors {
 public:
  BackwardTensors(Machine& machine, const Problem& problem, const BackwardInputs& inputs,
                  const BackwardOutputs& outputs, const WeightRule& weights)
      : machine_(machine),
        lengths_(problem),
        q_(inputs.q),
        k_(inputs.k),
        v_(inputs.v),
        dout_(inputs.dout),
        lse_(inputs.lse),
        dq_(outputs.dq),
        dk_(outputs.dk),
        dv_(outputs.dv) {
    describe_problem(problem, arg_);
    arg_.weights = weights;
    name_o(inputs.o);
    if (inputs.glse) glse_ = std::make_unique<DenseInput<float>>(*inputs.glse);
    arg_.has_glse = inputs.glse.has_value();
    name_tensors();
  }

  [[nodiscard]] const BackwardArguments<Element>& arguments() const { return arg_; }

  // Room for sums of dQ.
  void add_dq_sums() { arg_.dq_sum = machine_.template scratch<float>("dq_sum", q_.count()); }

  // Waits for the launches; then gradients stand where their views say.
  void finish() {
    machine_.finish();
    for (GradientOutput<Element>* gradient : {&dq_, &dk_, &dv_}) gradient->settle();
  }

 private:
  void name_o(const ConstTensorView& view) {
    if (view.format == Format::f32) {
      o_wide_ = std::make_unique<DenseInput<float>>(view);
      arg_.o_wide = name_input(machine_, "o", *o_wide_);
    } else {
      o_ = std::make_unique<DenseInput<Element>>(view);
      arg_.o = name_input(machine_, "o", *o_);
    }
  }

  void name_tensors() {
    arg_.q = name_input(machine_, "q", q_);
    arg_.k = name_input(machine_, "k", k_);
    arg_.v = name_input(machine_, "v", v_);
    arg_.dout = name_input(machine_, "dout", dout_);
    arg_.lse = name_input(machine_, "lse", lse_);
    if (glse_) arg_.glse = name_input(machine_, "glse", *glse_);
    arg_.dq = dq_.name_in(machine_, "dq");
    arg_.dk = dk_.name_in(machine_, "dk");
    arg_.dv = dv_.name_in(machine_, "dv");
    lengths_.name_in(machine_, arg_);
    arg_.row_dot = machine_.template scratch<float>("row_dot", lse_.count());
  }

  Machine& machine_;
  Lengths lengths_;
  DenseInput<Element> q_, k_, v_, dout_;
  DenseInput<float> lse_;
  std::unique_ptr<DenseInput<Element>> o_;
  std::unique_ptr<DenseInput<float>> o_wide_, glse_;
  GradientOutput<Element> dq_, dk_, dv_;
  BackwardArguments<Element> arg_{};
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
