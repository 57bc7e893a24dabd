// constant_v: with V = 1 every live row of O is 1 within the budget. The answer needs no oracle, so
// this law also watches over the oracle's side of `accuracy`.
#include <algorithm>

#include "core/contract.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

Tensor ones_like(const Tensor& v) {
  Tensor ones(v.format(), v.extents());
  const std::uint64_t one = round_to_bits(v.format(), 1.0);
  const auto width = static_cast<std::size_t>(bytes_of(v.format()));
  for (std::size_t at = 0; at < ones.bytes().size(); at += width) {
    std::memcpy(ones.bytes().data() + at, &one, width);
  }
  return ones;
}

// A lower bound of sum pi over near keys.
constexpr float kAlmostOne = 1 - 0x1p-20F;

// The moments of V = 1 in closed form: |v| = floor(v) = 1 and |v - O| = 0. No term of the running
// sum exceeds 1 in the frame of its own maximum.
ElementMoments moments_of_ones(const RowMoments& row) {
  ElementMoments moments;
  moments.sum_pi_abs_v = moments.sum_pi_floor_v = row.sum_pi[kOne];
  moments.sum_abs_v = moments.sum_floor_v = static_cast<double>(row.live_keys);
  moments.peak_abs = static_cast<double>(row.live_keys);
  return moments;
}

// Scores and LSE do not depend on V; what V made of the classes of O is undone.
Answer answer_of_ones(const Problem& problem, const Answer& answer) {
  Answer ones = answer;
  ones.decisions.clear();
  const auto d_v = static_cast<std::size_t>(problem.d_v);
  for (std::size_t row = 0; row < ones.rows.size(); ++row) {
    const bool finite = ones.lse_class[row] == OutputClass::finite;
    for (std::size_t at = row * d_v; at < (row + 1) * d_v; ++at) {
      OutputClass& o_class = ones.o_class[at];
      if (o_class == OutputClass::dead || o_class == OutputClass::beyond) continue;
      o_class = ones.lse_class[row];  // finite, or what the scores alone make of the row
      ones.o[at] = finite ? Enclosure{1, 1} : Enclosure{};
      ones.elements[at] = finite ? moments_of_ones(ones.rows[row]) : ElementMoments{};
      if (!ones.least.empty()) ones.least[at] = {kAlmostOne, 0};
    }
  }
  return ones;
}

}  // namespace

LawOutcome check_constant_v(const LawContext& c) {
  const bool any_live =
      std::ranges::any_of(c.answer.rows, [](const RowMoments& row) { return row.live_keys > 0; });
  if (!any_live) return not_applicable();
  const Inputs inputs{c.inputs.q, c.inputs.k, ones_like(c.inputs.v)};
  if (may_spread(c.problem, inputs, c.subject.semantics())) return not_applicable();
  const Execution run = execute(c.subject, c.problem, inputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with V = 1");
  Judgement judgement =
      judge_forward(c.problem, answer_of_ones(c.problem, c.answer),
                    c.subject.numerics(c.problem, c.settings.unit), c.subject.semantics(),
                    run.outputs.o.view(), run.outputs.lse.view(), Rows::live);
  judgement.lse = {};  // accuracy's business
  LawOutcome outcome = outcome_of(std::move(judgement));
  outcome.setting = "V = 1";
  return outcome;
}

}  // namespace attest
