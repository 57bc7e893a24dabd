#include "judge/replay_backward.hpp"

#include <cmath>

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends

const ConstTensorView& view_of(const Gradients& gradients, OutputTensor tensor) {
  if (tensor == OutputTensor::dq) return gradients.dq;
  return tensor == OutputTensor::dk ? gradients.dk : gradients.dv;
}

Range32 scaled(const Range32& sum, float scale) { return {sum.lo * scale, sum.hi * scale}; }

}  // namespace

BackwardReplay::BackwardReplay(const Problem& problem, const Inputs& inputs,
                               const BackwardRule& rule, ConstTensorView lse,
                               const Gradients& gradients, Judgement& result)
    : problem_(problem),
      inputs_(inputs),
      rule_(rule),
      lse_(lse),
      gradients_(gradients),
      p_floor_(operand_floor(rule.arithmetic.shared, rule.p.format)),
      ds_floor_(operand_floor(rule.arithmetic.shared, rule.ds.format)),
      dq_(1, problem.d_qk),
      dk_{OutputTensor::dk, problem.d_qk, {problem.n_k, problem.d_qk}, {problem.n_k, problem.d_qk}},
      dv_{OutputTensor::dv, problem.d_v, {problem.n_k, problem.d_v}, {problem.n_k, problem.d_v}},
      result_(result) {}

void BackwardReplay::enter_group(Index b, Index key_head) {
  b_ = b;
  key_head_ = key_head;
  k_.emplace(inputs_.k.view(), b, key_head, operand_floor(rule_.arithmetic.shared, problem_.in));
  if (rule_.dots_known) {
    const OperandRows v(inputs_.v.view(), b, key_head, 0);
    unit_keys_.emplace(rule_.arithmetic.shared.unit, problem_.in, k_->all(), problem_.d_qk);
    unit_values_.emplace(rule_.arithmetic.shared.unit, problem_.in, v.all(), problem_.d_v);
  }
  for (KeySide* side : {&dk_, &dv_}) {
    side->sums.clear();
    side->heads.clear();
  }
}

void BackwardReplay::enter_head(Index h, const std::vector<RowDot>& dout_o) {
  const double floor = operand_floor(rule_.arithmetic.shared, problem_.in);
  head_.emplace(Head{h, dout_o, OperandRows(inputs_.q.view(), b_, h, floor),
                     OperandRows(inputs_.dout.view(), b_, h, floor)});
}

void BackwardReplay::add_rows(const HeadScores& scores, const HeadScores& dp) {
  const UnitOperands unit{unit_keys_ ? &*unit_keys_ : nullptr,
                          unit_values_ ? &*unit_values_ : nullptr};
  ReplayedRow row(problem_, rule_, scores, dp, unit);
  for (Index i = scores.block.first; i < scores.block.end; ++i) {
    add_row(i, scores.row(i), scores.row(i).known && dp.row(i).known, row);
  }
}

void BackwardReplay::leave_head() {
  if (!rule_.head) return;
  fold_head(dk_);
  fold_head(dv_);
}

void BackwardReplay::leave_group() {
  judge_keys(dk_);
  judge_keys(dv_);
}

void BackwardReplay::add_row(Index i, const RowScores& live, bool known, ReplayedRow& row) {
  if (live.first == live.end) return;
  dq_.clear();
  dq_.row(0).reached = true;
  for (Index j = live.first; j < live.end; ++j) {
    dk_.sums.row(j).reached = true;
    dv_.sums.row(j).reached = true;
  }
  const std::optional<StoredRow> stored = known ? stored_row(i) : std::nullopt;
  if (stored) {
    Index j = live.first;
    for (const ReplayedPair& pair : row.pairs(i, *stored)) add_pair(i, j++, pair);
  } else {
    lose_row(live);
  }
  judge_query(head_->h, i);
}

std::optional<StoredRow> BackwardReplay::stored_row(Index i) const {
  StoredRow row;
  row.q = head_->q.span(i);
  row.dout = head_->dout.span(i);
  row.dout_o = head_->dout_o[static_cast<std::size_t>(i)];
  row.lse = static_cast<float>(lse_.value(b_, head_->h, i, 0));
  row.has_glse = problem_.lse_gradient;
  if (row.has_glse) row.glse = static_cast<float>(inputs_.glse.view().value(b_, head_->h, i, 0));
  for (const double x : row.dout) row.sum_abs_dout += std::fabs(x);
  if (!std::isfinite(row.lse) || !std::isfinite(row.glse)) return std::nullopt;
  return row;
}

void BackwardReplay::lose_row(const RowScores& row) {
  dq_.lose(0);
  for (Index j = row.first; j < row.end; ++j) {
    dk_.sums.lose(j);
    dv_.sums.lose(j);
  }
}

void BackwardReplay::add_pair(Index i, Index j, const ReplayedPair& pair) {
  const BackwardArithmetic& a = rule_.arithmetic;
  const Index tile = head_->h * problem_.n_q + i / a.tile_q;  // differs from head to head
  if (pair.weight_known) {
    dv_.sums.add(j, tile, pair.p, p_floor_, head_->dout.row(i));
  } else {
    dv_.sums.lose(j);
  }
  if (pair.known) {
    dk_.sums.add(j, tile, pair.ds, ds_floor_, head_->q.row(i));
    dq_.add(0, j / a.dq_tile, pair.ds, ds_floor_, k_->row(j));
  } else {
    dk_.sums.lose(j);
    dq_.lose(0);
  }
}

void BackwardReplay::judge_query(Index h, Index i) {
  const ReplayedSums::Row& row = dq_.row(0);
  const BackwardArithmetic& a = rule_.arithmetic;
  const double gam = gam_of_dq_in_tiles(a, row.products, row.tiles);
  for (Index c = 0; c < problem_.d_qk; ++c) {
    const Range32 sum = row.known ? dq_.sum(0, c, gam, a.shared.eta) : kAnything;
    judge_element(OutputTensor::dq, h, i, c, scaled(sum, problem_.scale));
  }
}

Range32 BackwardReplay::value_of(KeySide& side, Index j, Index column) const {
  const ReplayedSums::Row& row = side.sums.row(j);
  if (!row.known) return kAnything;
  const BackwardArithmetic& a = rule_.arithmetic;
  const Range32 sum =
      side.sums.sum(j, column, gam_of_key(a, row.products, row.tiles), a.shared.eta);
  return side.tensor == OutputTensor::dk ? scaled(sum, problem_.scale) : sum;
}

void BackwardReplay::fold_head(KeySide& side) {
  for (Index j = 0; j < problem_.n_k; ++j) {
    const ReplayedSums::Row& head = side.sums.row(j);
    ReplayedSums::Row& group = side.heads.row(j);
    if (!head.reached) continue;
    group.reached = true;
    group.known = group.known && head.known;
    if (!group.known) continue;
    if (head.products > 0) ++group.products;
    for (Index c = 0; c < side.columns; ++c) {
      const Range32 value = value_of(side, j, c);
      const RoundedSet stored = rounded_set(value.lo, value.hi, *rule_.head);
      if (std::isfinite(stored.lo) && std::isfinite(stored.hi)) {
        side.heads.add_value(j, c, stored);
      } else {
        side.heads.lose(j);
      }
    }
  }
  side.sums.clear();
}

void BackwardReplay::judge_keys(KeySide& side) {
  for (Index j = 0; j < problem_.n_k; ++j) {
    const ReplayedSums::Row& group = side.heads.row(j);
    if (!(rule_.head ? group.reached : side.sums.row(j).reached)) continue;
    const double gam = gam_of_f32_chain(group.products - 1);
    for (Index c = 0; c < side.columns; ++c) {
      Range32 value = kAnything;
      if (!rule_.head) {
        value = value_of(side, j, c);
      } else if (group.known) {
        value = side.heads.sum(j, c, gam, 0);
      }
      judge_element(side.tensor, key_head_, j, c, value);
    }
  }
}

void BackwardReplay::judge_element(OutputTensor tensor, Index h, Index row, Index column,
                                   const Range32& value) {
  TensorJudgement& counts = result_.of(tensor);
  if (!(value.largest() < kLargest)) {
    ++counts.left;
    return;
  }
  const ConstTensorView& view = view_of(gradients_, tensor);
  const std::uint64_t bits = view.bits(b_, h, row, column);
  const double observed = widen_bits(view.format, bits);
  const RoundedSet due = rounded_set(value.lo, value.hi, rule_.output);
  if (counts.worst && due.holds(observed)) {
    counts.count_acceptable(due.is_single());
    return;
  }
  ElementJudgement e;
  e.bits = bits;
  e.observed = observed;
  e.tensor = tensor;
  e.b = b_;
  e.h = h;
  e.i = row;
  e.k = column;
  e.format = view.format;
  judge_between(e, value.lo, value.hi, rule_.output);
  counts.count_replayed(e, RowMoments{}, 0);
}

}  // namespace attest
