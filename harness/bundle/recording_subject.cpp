#include "harness/bundle/recording_subject.hpp"

namespace attest {
namespace {

// Row-major, whatever the strides.
Tensor copy_of(const ConstTensorView& view) {
  Tensor copy(view.format, view.extents);
  const TensorView to = copy.view();
  const auto [batch, heads, rows, columns] = view.extents;
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          to.set_bits(b, h, row, column, view.bits(b, h, row, column));
        }
      }
    }
  }
  return copy;
}

}  // namespace

RunOutcome RecordingSubject::run(const Problem& problem, const ForwardInputs& inputs,
                                 const ForwardOutputs& outputs, const RunSettings& settings) const {
  RunOutcome outcome = subject_.run(problem, inputs, outputs, settings);
  WatchedCall call{problem, {copy_of(inputs.q), copy_of(inputs.k), copy_of(inputs.v)}, {}};
  call.outputs.o = copy_of(outputs.o);
  call.outputs.lse = copy_of(outputs.lse);
  calls_.push_back(std::move(call));
  return outcome;
}

RunOutcome RecordingSubject::run_backward(const Problem& problem, const BackwardInputs& inputs,
                                          const BackwardOutputs& outputs,
                                          const RunSettings& settings) const {
  RunOutcome outcome = subject_.run_backward(problem, inputs, outputs, settings);
  WatchedCall call{problem, {copy_of(inputs.q), copy_of(inputs.k), copy_of(inputs.v)}, {}};
  call.backward = true;
  call.inputs.dout = copy_of(inputs.dout);
  if (inputs.glse) call.inputs.glse = copy_of(*inputs.glse);
  call.outputs = {copy_of(inputs.o), copy_of(inputs.lse), copy_of(outputs.dq), copy_of(outputs.dk),
                  copy_of(outputs.dv)};
  calls_.push_back(std::move(call));
  return outcome;
}

}  // namespace attest
