#include "properties/laws/gradients.hpp"

#include "oracle/enclose_gradients_in_binary64.hpp"

namespace attest {
namespace {

void scale_values(Tensor& tensor, double factor) {
  const TensorView view = tensor.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          const double value = factor * view.value(b, h, row, column);
          view.set_bits(b, h, row, column, round_to_bits(tensor.format(), value));
        }
      }
    }
  }
}

}  // namespace

Gradients views_of(const Outputs& outputs) {
  return {outputs.dq.view(), outputs.dk.view(), outputs.dv.view()};
}

StoredForward stored_in(const Outputs& outputs, const LawContext& c) {
  const auto source = c.subject.numerics(c.problem, c.settings.unit).d_source;
  return {outputs.o.view(), outputs.lse.view(), source == DSource::p_dp};
}

BackwardAnswer exact_gradients(const LawContext& c, const Problem& problem, const Inputs& inputs,
                               const BackwardAnswer& weights,
                               const std::optional<StoredForward>& stored) {
  if (c.rung) return enclose_backward(problem, inputs, stored, *c.rung);
  if (c.gradients->is_loose()) {
    return enclose_gradients_in_binary64(problem, inputs, c.answer, stored);
  }
  return enclose_backward_by_weights(problem, inputs, weights, stored);
}

Judgement judge_gradients(const LawContext& c, const Problem& problem, const Inputs& inputs,
                          const BackwardAnswer& exact, View view, const Outputs& outputs) {
  return judge_backward(problem, inputs, c.answer, exact, view,
                        c.subject.numerics(problem, c.settings.unit), c.subject.semantics(),
                        views_of(outputs), Rows::live);
}

Inputs with_scaled_gradients(const Inputs& inputs, double factor) {
  Inputs scaled = inputs;
  scale_values(scaled.dout, factor);
  scale_values(scaled.glse, factor);
  return scaled;
}

}  // namespace attest
