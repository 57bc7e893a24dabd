// longer_buffer: K and V that go on behind the last length change no answer. The keys behind are
// NaN and dead, enough of them for more tiles and more parts without a live key, so a merge of
// parts must take an empty one for nothing. Bits may differ: another kernel may be chosen.
#include <utility>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/own_answer.hpp"

namespace attest {
namespace {

constexpr Index kLeastMore = 64;

Tensor lengthened(const Tensor& tensor, Index more) {
  const auto [batch, heads, rows, columns] = tensor.extents();
  Tensor longer = poisoned(tensor.format(), {batch, heads, rows + more, columns});
  const TensorView to = longer.view();
  const ConstTensorView from = tensor.view();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          to.set_bits(b, h, row, column, from.bits(b, h, row, column));
        }
      }
    }
  }
  return longer;
}

}  // namespace

LawOutcome check_longer_buffer(const LawContext& c) {
  const std::uint64_t seed = seed_of(c.problem, c.inputs);
  const Index more = kLeastMore + random_bits(seed, {kDrawOfLaw, 14, 0, 0, 0})[0] % kLeastMore;
  Problem longer = c.problem;
  longer.lk.clear();
  longer.lq.clear();
  for (Index b = 0; b < c.problem.batch; ++b) {
    longer.lk.push_back(c.problem.live_keys(b));
    longer.lq.push_back(c.problem.live_queries(b));
  }
  longer.n_k += more;
  if (c.subject.unsupported(longer, c.settings.unit)) return not_applicable();
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  Inputs inputs = c.inputs;
  inputs.k = lengthened(c.inputs.k, more);
  inputs.v = lengthened(c.inputs.v, more);
  const std::string setting = std::to_string(more) + " dead keys of NaN behind the last";
  const Execution run = execute(c.subject, longer, inputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with " + setting);
  Judgement judgement = judge_forward(longer, c.answer, c.subject.numerics(longer, c.settings.unit),
                                      c.subject.semantics(), run.outputs.o.view(),
                                      run.outputs.lse.view(), Rows::live);
  add_gradients_by_own_answer(c, longer, inputs, c.answer, run.outputs, judgement);
  LawOutcome outcome = outcome_of(std::move(judgement));
  outcome.setting = setting;
  return outcome;
}

}  // namespace attest
