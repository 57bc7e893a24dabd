#include "judge/gradient_budget.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends

}  // namespace

PairOperands pair_operands(const BackwardArithmetic& a, const RowCosts& row, const Pair& pair,
                           const WeightError& weight, const ScoreGradientError& e) {
  const Resolved& shared = a.shared;
  PairOperands o;
  const double all = e.sum();
  const double ds = std::max(e.magnitude + all, operand_floor(shared, a.ds_format));
  // D's error times pi, and the factor of the stored LSE, act on sums over the row: Theorem 11.
  const double own = all - e.of_lse - e.of_d;
  o.in_dq = {own + row.d_error * weight.all(), ds};
  o.in_dk = {all, ds};
  const double p = weight.p * (1 + shared.u_p) + shared.eta_p;
  o.in_dv = {weight.all() + shared.u_p * weight.p + shared.eta_p,
             std::max(p, operand_floor(shared, shared.p_format))};
  o.score_gradient = e.magnitude;
  o.weight = pair.pi;
  return o;
}

void add_product(double* sums, Index columns, const OperandError& operand, double gam,
                 const Magnitudes& x) {
  const double of_size = gam * operand.size;
  if (x.off == nullptr && x.seen == x.plain) {
    const double factor = operand.error + of_size;
    for (Index c = 0; c < columns; ++c) sums[c] += factor * x.plain[c];
    return;
  }
  for (Index c = 0; c < columns; ++c) sums[c] += operand.error * x.plain[c] + of_size * x.seen[c];
  if (x.off == nullptr) return;
  for (Index c = 0; c < columns; ++c) sums[c] += operand.size * x.off[c];
}

double upward(Index pairs) { return 1 + static_cast<double>(pairs + 256) * 0x1p-51; }

FinishedBudget finish(const BackwardArithmetic& a, const Finish& how, double summed, double exact) {
  const Resolved& shared = a.shared;
  FinishedBudget f;
  f.underflow = how.sigma * how.operations * shared.eta;
  double bound = how.sigma * summed + f.underflow;
  // Each head's own magnitude; with one head it is the output's.
  const double before = how.per_head && how.heads > 1 ? how.heads_sum : exact;
  const auto stores = static_cast<double>(how.per_head ? how.live_heads : 1);
  if (how.scaled) f.scale = kU * (before + bound) + stores * shared.eta;
  bound += f.scale;
  if (how.per_head) {
    const double stored = bound + a.u_head * (before + bound) + stores * a.eta_head;
    const double additions = static_cast<double>(how.heads - 1) * (shared.ftz ? shared.eta : 0);
    const double added = stored + gam_of_f32_chain(how.heads - 1) * (before + stored) + additions;
    f.group = added - bound;
    bound = added;
    const double end = std::min(kLargest, overflow_threshold(*a.per_head));
    if (!(before + bound < end)) f.unbounded = Unbounded::range;
  }
  // A store toward zero has no infinity, but the product with the scale before it may be one.
  if (!shared.o_overflows && !(exact + bound < kLargest)) f.unbounded = Unbounded::range;
  f.output = shared.u_o * (exact + bound) + shared.eta_o;
  f.total = bound + f.output;
  if (f.unbounded == Unbounded::no && !std::isfinite(f.total)) f.unbounded = Unbounded::magnitude;
  return f;
}

void KeySums::raise(Index j, Unbounded why) {
  Unbounded& open = keys_[static_cast<std::size_t>(j)].unbounded;
  if (open == Unbounded::no || why == Unbounded::range) open = why;
}

void KeySums::add(Index j, Index head, const OperandError& operand, double exact, double gam,
                  const Magnitudes& x) {
  Key& key = keys_[static_cast<std::size_t>(j)];
  key.size += operand.size * x.largest;
  ++key.pairs;
  if (key.last_head != head) ++key.live_heads;
  key.last_head = head;
  if (!(key.size < kLargest)) key.unbounded = Unbounded::range;
  add_product(errors_.data() + at(j, 0), columns_, operand, gam, x);
  if (sizes_.empty()) return;
  double* sizes = sizes_.data() + at(j, 0);
  for (Index c = 0; c < columns_; ++c) sizes[c] += exact * x.plain[c];
}

}  // namespace attest
