// group_sum: dK and dV of a key head are sums over the query heads of its group. With dO and gL of
// all heads but one set to 0, that head's share must be what is left, for the first and the last
// head of each group: a kernel that keeps only one of them loses the other.
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

void silence_others(Tensor& tensor, Index group, Index kept) {
  const TensorView view = tensor.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      if (h % group == kept) continue;
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) view.set_bits(b, h, row, column, 0);
      }
    }
  }
}

}  // namespace

LawOutcome check_group_sum(const LawContext& c) {
  const Index group = c.problem.heads_q / c.problem.heads_k;
  if (group == 1) return not_applicable();
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  LawOutcome outcome = not_applicable();
  for (const Index kept : {Index{0}, group - 1}) {
    Inputs inputs = c.inputs;
    silence_others(inputs.dout, group, kept);
    silence_others(inputs.glse, group, kept);
    const std::string setting = "dO = 0 but in head " + std::to_string(kept) + " of each group";
    const Execution run = execute_backward(c.subject, c.problem, inputs, c.outputs, c.settings);
    if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with " + setting);
    const BackwardAnswer exact =
        exact_gradients(c, c.problem, inputs, *c.gradients, stored_in(c.outputs, c));
    outcome =
        outcome_of(judge_gradients(c, c.problem, inputs, exact, View::stage_wise, run.outputs));
    outcome.setting = setting;
    if (outcome.verdict != Verdict::accept) return outcome;
  }
  return outcome;
}

}  // namespace attest
