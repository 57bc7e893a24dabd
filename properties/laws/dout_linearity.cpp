// dout_linearity: gradients are linear in (dO, gL), so for -2 dO they are -2 times as large. The
// enclosures come from the case's own gradients; no oracle sees -2 dO.
#include <cmath>

#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

constexpr double kFactor = -2;  // a power of two: exact unless it overflows

bool stays_in_range(const Tensor& tensor) {
  const ConstTensorView view = tensor.view();
  const double limit = largest_finite(tensor.format()) / 2;
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          // A NaN of a row that nobody sees stays one.
          if (std::fabs(view.value(b, h, row, column)) > limit) return false;
        }
      }
    }
  }
  return true;
}

void take_multiple(GradientAnswer& changed, const GradientAnswer& own) {
  for (std::size_t n = 0; n < own.values.size(); ++n) {
    const Enclosure& e = own.values[n];
    changed.values[n] = {kFactor * e.hi, kFactor * e.lo};
  }
}

}  // namespace

LawOutcome check_dout_linearity(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  if (!stays_in_range(c.inputs.dout) || !stays_in_range(c.inputs.glse)) return not_applicable();
  const Inputs inputs = with_scaled_gradients(c.inputs, kFactor);
  const Execution run = execute_backward(c.subject, c.problem, inputs, c.outputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with -2 dO");
  const StoredForward stored = stored_in(c.outputs, c);
  const BackwardAnswer own = exact_gradients(c, c.problem, c.inputs, *c.gradients, stored);
  BackwardAnswer changed = exact_gradients(c, c.problem, inputs, *c.gradients, stored);
  take_multiple(changed.dq, own.dq);
  take_multiple(changed.dk, own.dk);
  take_multiple(changed.dv, own.dv);
  LawOutcome outcome =
      outcome_of(judge_gradients(c, c.problem, inputs, changed, View::stage_wise, run.outputs));
  outcome.setting = "-2 dO";
  return outcome;
}

}  // namespace attest
