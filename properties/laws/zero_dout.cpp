// zero_dout: where dO and gL are 0, so is every gradient, exactly: each is a sum of products with
// one of them. A P that leaves its range makes inf * 0 of it, a NaN and never another number;
// whether it may is for the range conditions of the budget to say.
#include <cmath>

#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

// Where a NaN or an infinity was stored, 0 times it is none.
bool all_finite(const Tensor& tensor) {
  const ConstTensorView view = tensor.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          const ValueClass kind = classify(tensor.format(), view.bits(b, h, row, column));
          if (kind == ValueClass::nan || kind == ValueClass::infinite) return false;
        }
      }
    }
  }
  return true;
}

struct FoundGradients {
  std::string nonzero;      // the place of the first number that is not 0
  bool all_numbers = true;  // no NaN and no infinity
};

FoundGradients inspect(const Problem& problem, const Outputs& outputs) {
  FoundGradients found;
  for (const NamedOutput& output : named_gradients(outputs)) {
    const ConstTensorView view = output.tensor->view();
    for (Index b = 0; b < view.extents[0]; ++b) {
      const Index rows = output.by_keys ? problem.live_keys(b) : problem.live_queries(b);
      for (Index h = 0; h < view.extents[1]; ++h) {
        for (Index row = 0; row < rows; ++row) {
          for (Index column = 0; column < view.extents[3]; ++column) {
            const double x = view.value(b, h, row, column);
            if (!std::isfinite(x)) {
              found.all_numbers = false;
            } else if (x != 0 && found.nonzero.empty()) {
              found.nonzero = place_in(output, b, h, row, column);
            }
          }
        }
      }
    }
  }
  return found;
}

// Zeros, not multiples by 0: those of a NaN are none.
Inputs without_gradients(const LawContext& c) {
  Inputs inputs = c.inputs;
  Inputs zeros = zero_inputs(c.problem);
  inputs.dout = std::move(zeros.dout);
  inputs.glse = std::move(zeros.glse);
  return inputs;
}

}  // namespace

LawOutcome check_zero_dout(const LawContext& c) {
  for (const Tensor* tensor : {&c.inputs.q, &c.inputs.k, &c.inputs.v, &c.outputs.o}) {
    if (!all_finite(*tensor)) return not_applicable();
  }
  const Inputs inputs = without_gradients(c);
  const Execution run = execute_backward(c.subject, c.problem, inputs, c.outputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with dO = 0");
  const FoundGradients found = inspect(c.problem, run.outputs);
  if (!found.nonzero.empty()) return rejected(found.nonzero + " is not 0 with dO = 0 and gL = 0");
  if (found.all_numbers) return {};
  const BackwardAnswer exact =
      exact_gradients(c, c.problem, inputs, *c.gradients, stored_in(c.outputs, c));
  LawOutcome outcome =
      outcome_of(judge_gradients(c, c.problem, inputs, exact, View::stage_wise, run.outputs));
  outcome.setting = "dO = 0 and gL = 0";
  return outcome;
}

}  // namespace attest
