// score_gradient_sum: softmax does not change when all scores of a row move together, so the
// gradients dS_ij of a row's scores sum to 0, or to the gradient of its LSE where one is given. One
// more column, 1 in K and 0 in Q, changes no score and makes dQ show that sum, times the scale.
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

// `tensor` with one column more, all `value`.
Tensor widened(const Tensor& tensor, double value) {
  const auto [batch, heads, rows, columns] = tensor.extents();
  Tensor wider(tensor.format(), {batch, heads, rows, columns + 1});
  const ConstTensorView from = tensor.view();
  const TensorView to = wider.view();
  const std::uint64_t last = round_to_bits(tensor.format(), value);
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          to.set_bits(b, h, row, column, from.bits(b, h, row, column));
        }
        to.set_bits(b, h, row, columns, last);
      }
    }
  }
  return wider;
}

// sum_j dS_ij = gL_i sum_j pi_ij: exactly 0, or the scale times gL, a product of binary32 numbers.
void put_sums(const Problem& p, const Inputs& inputs, GradientAnswer& dq) {
  const ConstTensorView glse = inputs.glse.view();
  std::size_t at = static_cast<std::size_t>(p.d_qk) - 1;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.n_q; ++i, at += static_cast<std::size_t>(p.d_qk)) {
        if (dq.classes[at] != OutputClass::finite) continue;
        const double sum = p.lse_gradient ? double{p.scale} * glse.value(b, h, i, 0) : 0;
        dq.values[at] = {sum, sum};
      }
    }
  }
}

// Nothing but the last column is this law's business. Elements of a declared class are not due
// among the live ones.
void leave_out_other_columns(const Problem& p, GradientAnswer& dq) {
  for (std::size_t at = 0; at < dq.classes.size(); ++at) {
    const bool last = (at + 1) % static_cast<std::size_t>(p.d_qk) == 0;
    if (!last) dq.classes[at] = OutputClass::dead;
  }
}

}  // namespace

LawOutcome check_score_gradient_sum(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  Problem wider = c.problem;
  ++wider.d_qk;
  if (c.subject.unsupported(wider, c.settings.unit)) return not_applicable();
  Inputs inputs = c.inputs;
  inputs.q = widened(c.inputs.q, 0);
  inputs.k = widened(c.inputs.k, 1);
  const Execution run = execute_backward(c.subject, wider, inputs, c.outputs, c.settings);
  const std::string setting = "one more column, 1 in K and 0 in Q";
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with " + setting);
  // A product with 0 changes no score, and no factor of its error; the mean of a key's 1 is 1.
  BackwardAnswer weights = *c.gradients;
  for (BackwardRow& row : weights.rows) row.mean_key.push_back(1);
  BackwardAnswer exact = exact_gradients(c, wider, inputs, weights, std::nullopt);
  put_sums(wider, inputs, exact.dq);
  leave_out_other_columns(wider, exact.dq);
  Judgement judgement = judge_gradients(c, wider, inputs, exact, View::end_to_end, run.outputs);
  judgement.dk = {};  // gradient_accuracy's business, like the other columns
  judgement.dv = {};
  LawOutcome outcome = outcome_of(std::move(judgement));
  outcome.setting = setting;
  return outcome;
}

}  // namespace attest
