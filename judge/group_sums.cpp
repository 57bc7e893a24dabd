#include "judge/group_sums.hpp"

namespace attest {
namespace {

Unbounded worse(Unbounded a, Unbounded b) {
  if (a == Unbounded::range || b == Unbounded::range) return Unbounded::range;
  return a == Unbounded::no ? b : a;
}

Budget budget_of(const FinishedBudget& finished, Unbounded why) {
  Budget budget;
  budget.unbounded = worse(why, finished.unbounded);
  budget.total = budget.unbounded == Unbounded::no ? finished.total * upward(0) : 0;
  return budget;
}

}  // namespace

void GroupSums::begin(Index b, Index key_head) {
  const bool sizes = g_.arithmetic().per_head && g_.group() > 1;
  b_ = b;
  key_head_ = key_head;
  dk_.emplace(p_.n_k, p_.d_qk, sizes);
  dv_.emplace(p_.n_k, p_.d_v, sizes);
  const Index first = key_head * g_.group();
  if (!per_head()) gams_ = g_.gams_of_keys(b, first, first + g_.group());
}

void GroupSums::begin_head(Index h) {
  if (per_head()) gams_ = g_.gams_of_keys(b_, h, h + 1);
}

void GroupSums::add_row(Index h, Index i, std::span<const Pair> pairs) {
  const RowCosts& costs = g_.costs(b_, h, i);
  const Unbounded all = worse(costs.weights, costs.d);
  dq_.assign(static_cast<std::size_t>(p_.d_qk), 0);
  why_ = all;
  row_ = {};
  if (!pairs.empty()) row_.gam = g_.gam_of_row(g_.row(b_, h, i));
  for (const Pair& pair : pairs) {
    dk_->raise(pair.j, all);
    dv_->raise(pair.j, costs.weights);
    if (costs.weights != Unbounded::no) continue;
    why_ = worse(why_, add_pair(h, i, g_.taken(pair, b_, h, i)));
  }
  if (!(row_.size < 0x1p127)) why_ = Unbounded::range;
}

Budget GroupSums::budget_of_dq(Index h, Index i, Index c, double exact) const {
  const BackwardRow& row = g_.row(b_, h, i);
  const RowCosts& costs = g_.costs(b_, h, i);
  if (why_ == Unbounded::range || row.pair_count() == 0) return budget_of({}, why_);
  const double pairs_sum = dq_[static_cast<std::size_t>(c)];
  const double summed = pairs_sum + g_.shared_d(row, costs, c) + g_.shared_lse(costs, exact);
  const double up = upward(row.pair_count());
  return budget_of(finish(g_.arithmetic(), g_.finish_dq(row), summed * up, exact), why_);
}

Budget GroupSums::budget_of_key(OutputTensor tensor, Index j, Index c, double exact) const {
  const KeySums& sums = tensor == OutputTensor::dk ? *dk_ : *dv_;
  const KeySums::Key& key = sums.key(j);
  if (key.unbounded == Unbounded::range) return budget_of({}, key.unbounded);
  const Finish how =
      tensor == OutputTensor::dk ? g_.finish_dk(sums, j, c) : g_.finish_dv(sums, j, c);
  const double summed = sums.error(j, c) * upward(key.pairs);
  return budget_of(finish(g_.arithmetic(), how, summed, exact), key.unbounded);
}

Unbounded GroupSums::add_pair(Index h, Index i, const Pair& pair) {
  const RowCosts& costs = g_.costs(b_, h, i);
  const auto e = g_.errors_of(pair, costs, b_, key_head_);
  const Unbounded why = worse(e.weight.unbounded, e.score_gradient.unbounded);
  const PairOperands o = pair_operands(g_.arithmetic(), costs, pair, e.weight, e.score_gradient);
  const double gam = gams_[static_cast<std::size_t>(pair.j)];
  const Magnitudes k = g_.k(b_, key_head_, pair.j);
  dk_->raise(pair.j, why);
  dv_->raise(pair.j, e.weight.unbounded);
  add_product(dq_.data(), p_.d_qk, o.in_dq, row_.gam, k);
  row_.size += o.in_dq.size * k.largest;
  dk_->add(pair.j, h, o.in_dk, o.score_gradient, gam, g_.q(b_, h, i));
  dv_->add(pair.j, h, o.in_dv, o.weight, gam, g_.dout(b_, h, i));
  return why;
}

}  // namespace attest
