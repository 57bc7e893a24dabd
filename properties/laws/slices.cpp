// slices: some rows of one entry and of one group of heads are computed alone as right as among the
// others: a chunk of a prefill, one request of a batch. The exact O and LSE are the same, so the
// case's own oracle judges them, and gradients follow from these rows alone; another kernel may
// compute it, so bits may differ.
#include <algorithm>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/own_answer.hpp"

namespace attest {
namespace {

struct Slice {
  Index b = 0;
  Index group = 0;
  Index first = 0;  // row
  Index rows = 0;
};

Slice drawn_slice(const Problem& p, std::uint64_t seed) {
  const auto below = [&](std::uint32_t which, Index count) {
    return static_cast<Index>(random_bits(seed, {kDrawOfLaw, 13, which, 0, 0})[0]) % count;
  };
  Slice slice{below(0, p.batch), below(1, p.heads_k)};
  const Index rows = p.live_queries(slice.b);
  if (rows == 0) return slice;
  slice.first = below(2, rows);
  slice.rows = 1 + below(3, rows - slice.first);
  return slice;
}

// The band is counted from the first row of the slice.
Problem sliced_problem(const Problem& p, const Slice& slice) {
  constexpr Index kFar = Index{1} << 40;
  const Index aligned =
      p.align == Align::top_left ? 0 : p.live_keys(slice.b) - p.live_queries(slice.b);
  const Index shift = slice.first + aligned;
  const auto shifted = [&](Index width, Index by) {
    return width == kUnlimited ? kUnlimited : std::clamp(width, -kFar, kFar) + by;
  };
  Problem alone = p;
  alone.batch = alone.heads_k = 1;
  alone.heads_q = p.heads_q / p.heads_k;
  alone.n_q = slice.rows;
  alone.align = Align::top_left;
  alone.left = shifted(p.left, -shift);
  alone.right = shifted(p.right, shift);
  alone.lq.clear();
  if (!p.lk.empty()) alone.lk = {p.live_keys(slice.b)};
  return alone;
}

Tensor cropped(const Tensor& whole, const Extents& extents, Index b, Index h, Index row) {
  Tensor part(whole.format(), extents);
  const TensorView to = part.view();
  for (Index head = 0; head < extents[1]; ++head) {
    for (Index r = 0; r < extents[2]; ++r) {
      for (Index column = 0; column < extents[3]; ++column) {
        to.set_bits(0, head, r, column, whole.view().bits(b, h + head, row + r, column));
      }
    }
  }
  return part;
}

Inputs cropped_inputs(const Inputs& all, const Problem& alone, const Slice& slice) {
  const Index h = slice.group * alone.heads_q;
  Inputs part{cropped(all.q, alone.q_extents(), slice.b, h, slice.first),
              cropped(all.k, alone.k_extents(), slice.b, slice.group, 0),
              cropped(all.v, alone.v_extents(), slice.b, slice.group, 0)};
  if (alone.pass == Pass::fwd) return part;
  part.dout = cropped(all.dout, alone.o_extents(), slice.b, h, slice.first);
  if (alone.lse_gradient) {
    part.glse = cropped(all.glse, alone.lse_extents(), slice.b, h, slice.first);
  }
  return part;
}

// Where row `row` of the slice stands in the case.
std::size_t row_in_case(const Problem& p, const Slice& slice, std::size_t row) {
  const auto n = static_cast<Index>(row);
  const Index h = slice.group * (p.heads_q / p.heads_k) + n / slice.rows;
  return row_index(p, slice.b, h, slice.first + n % slice.rows);
}

Answer sliced_answer(const Problem& p, const Problem& alone, const Slice& slice,
                     const Answer& answer) {
  Answer part(alone);
  if (!answer.least.empty()) part.least.resize(part.o.size());
  const auto d_v = static_cast<std::size_t>(p.d_v);
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    const std::size_t from = row_in_case(p, slice, row);
    part.lse_class[row] = answer.lse_class[from];
    part.lse[row] = answer.lse[from];
    part.rows[row] = answer.rows[from];
    part.bits[row] = answer.bits[from];
    for (std::size_t k = 0; k < d_v; ++k) {
      part.o_class[row * d_v + k] = answer.o_class[from * d_v + k];
      part.o[row * d_v + k] = answer.o[from * d_v + k];
      part.elements[row * d_v + k] = answer.elements[from * d_v + k];
      if (!answer.least.empty()) part.least[row * d_v + k] = answer.least[from * d_v + k];
    }
  }
  return part;
}

// Places and rows as the case counts them.
void renumber(const Problem& p, const Slice& slice, Judgement& judgement) {
  for (const OutputTensor tensor :
       {OutputTensor::o, OutputTensor::lse, OutputTensor::dq, OutputTensor::dk, OutputTensor::dv}) {
    std::optional<ElementJudgement>& worst = judgement.of(tensor).worst;
    if (!worst) continue;
    const bool by_keys = tensor == OutputTensor::dk || tensor == OutputTensor::dv;
    worst->b = slice.b;
    worst->h += by_keys ? slice.group : slice.group * (p.heads_q / p.heads_k);
    worst->i += by_keys ? 0 : slice.first;
  }
  for (std::size_t& row : judgement.undecided_rows) row = row_in_case(p, slice, row);
}

}  // namespace

LawOutcome check_slices(const LawContext& c) {
  const Problem& p = c.problem;
  const Slice slice = drawn_slice(p, seed_of(p, c.inputs));
  if (slice.rows == 0) return not_applicable();
  const Problem alone = sliced_problem(p, slice);
  const Semantics semantics = c.subject.semantics();
  if (!semantics.align_top_left || c.subject.unsupported(alone, c.settings.unit)) {
    return not_applicable();
  }
  if (may_spread(p, c.inputs, semantics)) return not_applicable();
  const Inputs inputs = cropped_inputs(c.inputs, alone, slice);
  const std::string setting = "rows i=" + std::to_string(slice.first) + ".." +
                              std::to_string(slice.first + slice.rows - 1) +
                              " of b=" + std::to_string(slice.b) +
                              " hk=" + std::to_string(slice.group) + " alone";
  const Execution run = execute(c.subject, alone, inputs, c.settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "of " + setting);
  const Answer part = sliced_answer(p, alone, slice, c.answer);
  Judgement judgement =
      judge_forward(alone, part, c.subject.numerics(alone, c.settings.unit), semantics,
                    run.outputs.o.view(), run.outputs.lse.view(), Rows::live);
  add_gradients_by_own_answer(c, alone, inputs, part, run.outputs, judgement);
  renumber(p, slice, judgement);
  LawOutcome outcome = outcome_of(std::move(judgement));
  outcome.setting = setting;
  return outcome;
}

}  // namespace attest
