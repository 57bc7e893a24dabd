#include "judge/replay_rules.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "judge/unit_dots.hpp"

namespace attest {
namespace {

constexpr double kSecondOrder = 1 + 8 * kU;  // Lemma 33: what the first order leaves out

bool is_narrow(Format format) { return format == Format::f16 || format == Format::bf16; }

void set_exponent(Exponent form, double u_c, ReplayRules& rules) {
  const double by_difference = (2 * kU + u_c) * kSecondOrder;
  const double by_product = (kU + u_c) * kSecondOrder;
  rules.per_gap = form == Exponent::difference_first ? by_difference : by_product;
  rules.per_rise = form == Exponent::scaled_max ? by_product : by_difference;
  rules.maximum_rounds = form == Exponent::scaled_max;
  if (form == Exponent::product_first) rules.per_score = kU * kSecondOrder;
  if (form == Exponent::product_first || form == Exponent::fused) {
    rules.per_shift = kU * kSecondOrder;
  }
}

}  // namespace

std::string_view obstacle_to_replay(const Numerics& n) {
  const std::pair<std::string_view, bool> conditions[] = {
      {"unit", n.unit.has_value()},
      {"scale_at", n.scale_at && !n.scale_at->q},
      {"c", n.c.has_value()},
      {"s_store", n.s_store.has_value()},
      {"exponent", n.exponent.has_value()},
      {"exp2", n.exp2.has_value()},
      {"exp_ftz", n.exp_ftz.has_value()},
      {"p_format", n.p_format && (is_narrow(*n.p_format) || n.p_format == Format::f32)},
      {"p_truncated", n.p_truncated.has_value()},
      {"p_normalised", n.p_normalised.has_value()},
      {"l_from", n.l_from.has_value()},
      {"l_chain", n.l_chain.has_value()},
      {"tile_k", n.tile_k.has_value()},
      {"order", n.order == TileOrder::ascending},
      {"max", n.max.value_or(RowMax{}).lag == 0},
      {"divide", n.divide.has_value()},
      {"o_format", n.o_format.has_value()},
      {"o_rounding", n.o_rounding.has_value()},
      {"ftz", n.ftz.has_value()},
      {"o_ftz", n.o_ftz.has_value()},
      {"split", !n.split || !n.split->partial},
  };
  for (const auto& [key, holds] : conditions) {
    if (!holds) return key;
  }
  return {};
}

ReplayRules replay_rules(const Numerics& n, const Problem& problem) {
  ATTEST_EXPECTS(obstacle_to_replay(n).empty());
  ReplayRules rules;
  rules.arithmetic = resolve(n, problem);
  const Resolved& a = rules.arithmetic;
  rules.scale = problem.scale;
  rules.d_qk = problem.d_qk;
  set_exponent(a.exponent, a.u_c, rules);
  const double flushed = a.ftz ? std::max(1.0, rules.scale) * a.eta : 0;
  rules.per_exp = -std::log1p(-a.eps) + 2 * a.eta + flushed;
  rules.score_absolute = rules.scale * static_cast<double>(problem.d_qk) * a.eta;
  if (a.s_store == ScoreStore::f16 || a.s_store == ScoreStore::bf16) {
    const Format stored = a.s_store == ScoreStore::f16 ? Format::f16 : Format::bf16;
    rules.s_format = stored;
    rules.score_relative = unit_roundoff(stored);
    rules.score_absolute += rules.scale * smallest_subnormal(stored) / 2;
  }
  rules.unit_dots =
      n.dot_order == DotOrder::ascending && !a.ftz && UnitDots::has_rule(a.unit, problem.in);
  const std::optional<float> c = declared_constant(problem.scale, *n.c);
  if (rules.unit_dots && c) rules.arguments.emplace(a.exponent, *c);
  const auto cut = [](bool truncated) {
    return truncated ? Rounding::toward_zero : Rounding::nearest_even;
  };
  rules.p_store = {a.p_format, cut(*n.p_truncated)};
  rules.p_wide = !is_narrow(a.p_format);
  rules.p_before = a.p_normalised == PNormalised::before_pv;
  rules.l_rounded = *n.l_from == LFrom::rounded;
  rules.o_store = {a.o_format, *n.o_rounding, *n.o_ftz};
  return rules;
}

}  // namespace attest
