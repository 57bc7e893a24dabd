#include "judge/backward_rule.hpp"

#include "judge/unit_dots.hpp"

namespace attest {
namespace {

bool is_declared(const Problem& problem, const Numerics& n) {
  const bool stores = n.p_format && n.p_truncated && n.ds_format;
  const bool outputs = n.o_format && n.o_rounding && n.o_ftz;
  const bool sums = n.unit && n.dq_sum && n.tile_q;
  const bool grouped = problem.heads_q > problem.heads_k;
  return stores && outputs && sums && n.d_source && n.p_in_ds && (n.group_sum || !grouped);
}

}  // namespace

std::optional<BackwardRule> backward_rule(const Problem& problem, const Numerics& n) {
  if (!is_declared(problem, n)) return std::nullopt;
  BackwardArithmetic arithmetic = resolve_backward(n, problem);
  const auto weights = RecomputedWeights::of(problem, n, arithmetic.shared);
  if (!weights) return std::nullopt;
  const Rounding cut = *n.p_truncated ? Rounding::toward_zero : Rounding::nearest_even;
  BackwardRule rule{.arithmetic = std::move(arithmetic),
                    .weights = *weights,
                    .d_source = *n.d_source,
                    .p_rounded_in_ds = *n.p_in_ds == PInDs::rounded,
                    .p = {*n.p_format, cut},
                    .ds = {*n.ds_format},
                    .output = {*n.o_format, *n.o_rounding, *n.o_ftz},
                    .dots_known = false,
                    .head = std::nullopt};
  rule.dots_known = n.dot_order == DotOrder::ascending && UnitDots::has_rule(*n.unit, problem.in);
  if (n.group_sum && n.group_sum->per_head) rule.head = StoreRule{*n.group_sum->per_head};
  return rule;
}

}  // namespace attest
