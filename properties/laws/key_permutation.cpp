// key_permutation: where every row sees every key, the order of keys is a convention: in reverse
// they give the same dQ, and dK and dV in reverse, each within its budget.
#include <algorithm>

#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/scope.hpp"

namespace attest {
namespace {

// The live keys of each entry in reverse.
Tensor reversed(const Problem& p, const Tensor& tensor) {
  Tensor turned = tensor;
  const ConstTensorView from = tensor.view();
  const TensorView to = turned.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    const Index live = p.live_keys(b);
    for (Index h = 0; h < heads; ++h) {
      for (Index j = 0; j < live; ++j) {
        for (Index column = 0; column < columns; ++column) {
          to.set_bits(b, h, live - 1 - j, column, from.bits(b, h, j, column));
        }
      }
    }
  }
  return turned;
}

// The pairs under the keys' new numbers, in ascending order again.
BackwardAnswer renumbered(const Problem& p, const BackwardAnswer& answer) {
  BackwardAnswer turned = answer;
  std::size_t row = 0;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index n = 0; n < p.heads_q * p.n_q; ++n, ++row) {
      std::vector<Pair>& pairs = turned.rows[row].pairs;
      for (Pair& pair : pairs) pair.j = p.live_keys(b) - 1 - pair.j;
      std::ranges::reverse(pairs);
    }
  }
  return turned;
}

}  // namespace

LawOutcome check_key_permutation(const LawContext& c) {
  if (!has_free_order(c.problem)) return not_applicable();
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  Inputs inputs = c.inputs;
  inputs.k = reversed(c.problem, c.inputs.k);
  inputs.v = reversed(c.problem, c.inputs.v);
  const Execution run = execute(c.subject, c.problem, inputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with reversed keys");
  const BackwardAnswer exact = exact_gradients(
      c, c.problem, inputs, renumbered(c.problem, *c.gradients), stored_in(run.outputs, c));
  LawOutcome outcome =
      outcome_of(judge_gradients(c, c.problem, inputs, exact, View::stage_wise, run.outputs));
  outcome.setting = "keys in reverse";
  return outcome;
}

}  // namespace attest
