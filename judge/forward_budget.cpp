#include "judge/forward_budget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/contract.hpp"

namespace attest {
namespace {

// Lemma 5: no path of a budget is longer than 2^7 operations, each off by less than 2^-51.
constexpr double kUpward = 1 + 0x1p-43;

// Upper bound of sum_j pi_j (e^rho_j - 1) over far and near keys, from that of sum pi rho.
double mass_error(const RowError& e, double mean_rho, double max_rho, const RowMoments& row) {
  return growth(max_rho) * mean_rho + e.far * static_cast<double>(row.live_keys);
}

// Z_i: what is left of the row sum at its smallest, over C l.
double least_row_sum(const Resolved& a, const RowMoments& row, const RowError& e, bool l_rounded) {
  const double far = e.far * static_cast<double>(row.live_keys);
  const double u_l = l_rounded ? a.u_p : 0;
  return (1 - u_l) * (1 - far - e.mean_rho(row)) - e.lost - e.parts_lost;
}

// Relative rounding of a weight on its way into P V.
double p_rounding(const Resolved& a) {
  if (a.p_normalised == PNormalised::after_pv) return a.u_p;
  return a.u_p + a.u_div * (1 + a.u_p) + kU;  // each weight has its own division
}

// Magnitude sums as the unit sees operands: no smaller than the smallest normal (Lemma 4).
struct OperandSums {
  double weighted;  // sum of pi |v|
  double plain;     // sum of |v|
  double subnormal_p;
};

OperandSums operand_sums(const Resolved& a, const ElementMoments& m) {
  if (a.unit_known && a.unit == Unit::fp32_seq) return {m.sum_pi_abs_v, m.sum_abs_v, 0};
  return {m.sum_pi_floor_v, m.sum_floor_v, a.p_format == Format::f16 ? 0x1p-14 : 0};
}

// A sum of magnitudes that one pass over the keys may meet must stay below binary32's end, with
// every weight at its largest: Theorem 5, A3. A weight in its own frame is at most 1 + eps, times e
// where a fused shift is off; the running frame says more for ascending tiles, where errors are
// bounded and no key is far. A maximum that lags raises both. A part has a frame of its own, in
// which far keys may be near.
bool may_overflow(const RowBudget& r, const RowBudget::View& view, const ElementMoments& m) {
  const Resolved& a = r.arithmetic;
  const RowError& e = view.error;
  double peak = std::exp(1.0) * (1 + a.eps) * m.sum_abs_v;
  if (a.ascending && e.max_rho <= 1 && r.row.far_keys == 0 && !e.merged) {
    peak = std::min(peak, m.peak_abs * view.factors.frame);
  }
  return !(peak * std::exp(e.behind) * (1 + view.factors.u_p) < 0x1p127);
}

// How far |O_s|, a mean of the part's values, may be blown up by roundings before it is stored.
double part_growth(const Resolved& a, const RowError& e) {
  const Index live = e.live.keys;
  const double gam_l = std::min(gam_of_row_sum(a, live, e.tiles), 0.5);
  const double weights = 1 + p_rounding(a) + 2 * static_cast<double>(live) * a.eta_p;
  return weights * (1 + gam_of_pv(a, live, e.tiles)) / ((1 - gam_l) * (1 - a.u_p)) * (1 + a.u_div) *
         (1 + a.u_part);
}

// A part's output may pass the end of the format that it is stored in, and a weight of 0 would make
// a NaN of it.
bool partial_may_overflow(const RowBudget& r, const RowFactors& f, const ElementMoments& m,
                          double o) {
  const Resolved& a = r.arithmetic;
  if (a.u_part == 0) return false;
  const double largest_v = std::min({m.sum_abs_v, o + m.sum_dev, largest_finite(r.problem.in)});
  return !(largest_v * f.part < overflow_threshold(a.partial));
}

Budget unbounded(Unbounded why) {
  Budget budget;
  budget.unbounded = why;
  return budget;
}

RowBudget::View prepare_view(const Problem& problem, const Resolved& a, const RowMoments& row,
                             bool l_rounded) {
  RowBudget::View view{bound_row_error(problem, a, row, l_rounded), {}};
  const RowError& e = view.error;
  RowFactors& f = view.factors;
  const Index chain_keys = e.merged ? e.live.keys : row.live_keys;
  f.z = least_row_sum(a, row, e, l_rounded);
  f.gam_l = gam_of_row_sum(a, chain_keys, e.tiles) + e.merge.chain;
  f.gam_pv = gam_of_pv(a, chain_keys, e.tiles);
  f.grown = std::exp(e.max_rho);
  f.phi = growth(e.max_rho);
  f.frame = std::exp(2 * e.max_rho);
  f.u_p = p_rounding(a);
  if (a.split) f.part = part_growth(a, e);
  if (e.merged) f.whole_lse = std::expm1(e.merge.whole_lse);
  return view;
}

// A budget that grows term by term; the names are for who looks at them.
class Sum {
 public:
  explicit Sum(Terms terms) : named_(terms == Terms::named) {}

  double add(std::string_view name, double value) {
    if (named_) budget_.terms.push_back({name, value * kUpward});
    return value;
  }
  Budget close(double total) {
    if (!std::isfinite(total)) return unbounded(Unbounded::magnitude);
    budget_.total = total * kUpward;
    return std::move(budget_);
  }

 private:
  bool named_;
  Budget budget_;
};

// Theorem 5 for one view of the row sum.
Budget budget_of_o_in(const RowBudget& r, const RowBudget::View& view, bool l_rounded,
                      const ElementMoments& m, double o, Terms terms) {
  const Resolved& a = r.arithmetic;
  const RowError& e = view.error;
  if (e.unbounded == Unbounded::range || may_overflow(r, view, m)) {
    return unbounded(Unbounded::range);
  }
  if (a.split && partial_may_overflow(r, view.factors, m, o)) return unbounded(Unbounded::range);
  if (e.unbounded != Unbounded::no) return unbounded(e.unbounded);
  const auto& [z, gam_l, gam_pv, grown, phi, frame, u_p, part, whole_lse] = view.factors;
  if (!(z > 0.5) || !(gam_l < 0.5)) return unbounded(Unbounded::magnitude);

  const double rounded_mass = l_rounded ? m.sum_pi_dev[kOne] : m.sum_pi_abs_v;
  const double rounded_sum = l_rounded ? m.sum_dev : m.sum_abs_v;
  const OperandSums size = operand_sums(a, m);
  const Index rescales = (e.tiles - 1) * (e.merged ? e.live.parts : 1);
  const auto operations = static_cast<double>(r.row.live_keys + rescales);
  const double in_pv =
      grown * size.weighted + e.theta * size.plain + size.subnormal_p * e.pv_unit * size.plain;

  Sum budget(terms);
  double before_division = 0;
  const auto share = [&](std::string_view name, double value) {
    before_division += budget.add(name, value / z);
  };
  share("scores", phi * dot(e.scores, m.sum_pi_dev));
  share("exponent", phi * dot(e.exponent, m.sum_pi_dev));
  share("exp2", phi * dot(e.exp2, m.sum_pi_dev));
  share("P rounding", u_p * grown * rounded_mass);
  share("P underflow", e.theta * (1 + u_p) * rounded_sum);
  share("far keys", e.far * (m.sum_dev + m.sum_abs_v));
  share("lost row sum", o * (l_rounded ? e.flushed : e.lost));
  share("PV accumulation", gam_pv * (1 + u_p) * in_pv + operations * a.eta * e.pv_unit);
  double after_sum = a.u_div;
  if (e.merged) {
    const double mass = (1 + gam_pv) * (1 + u_p) * (grown * m.sum_pi_abs_v + e.theta * m.sum_abs_v);
    const double stored = a.u_div + a.u_part * (1 + a.u_div);
    share("part weights", phi * dot(e.merge.merge, m.sum_pi_dev) +
                              o * grown * (1 + u_p) * dot(e.merge.mismatch, r.row.sum_pi));
    share("partial rounding", stored * mass + grown * (a.eta + a.eta_part));
    share("part underflow", e.weight_lost * part * m.sum_abs_v + o * e.parts_lost);
    share("merge accumulation", e.merge.chain / (1 - e.merge.chain) * (1 + stored) * mass +
                                    3 * static_cast<double>(e.live.parts) * a.eta * e.frame);
    if (a.exp_lse) after_sum = whole_lse;
  }
  const double raw = o + before_division;
  double bound = before_division + budget.add("row sum", gam_l / (1 - gam_l) * raw) +
                 budget.add("division", after_sum / (1 - gam_l) * raw + a.eta);
  // One part alone passes through the merge, but not without the rounding of its store.
  if (a.split && !e.merged && (a.u_part > 0 || a.eta_part > 0x1p-150)) {
    bound += budget.add("partial rounding", a.u_part * (o + bound) + a.eta_part);
  }
  return budget.close(bound + budget.add("output rounding", a.u_o * (o + bound) + a.eta_o));
}

// Theorem 6 for one view of the row sum.
Budget budget_of_lse_in(const RowBudget& r, const RowBudget::View& view, bool l_rounded, double lse,
                        Terms terms) {
  const Resolved& a = r.arithmetic;
  const RowError& e = view.error;
  if (e.unbounded_lse != Unbounded::no) return unbounded(e.unbounded_lse);
  const double growth_of_mass = mass_error(e, e.mean_rho_lse(r.row), e.max_rho_lse, r.row);
  const double gam_l = view.factors.gam_l;
  const double u_l = l_rounded ? a.u_p : 0;
  const double lost = (e.lost + e.parts_lost) * (1 + growth_of_mass);
  if (!(growth_of_mass <= 1) || !(gam_l < 0.5) || !(u_l + lost < 0.5)) {
    return unbounded(Unbounded::magnitude);
  }
  const double phi = growth(e.max_rho_lse);
  const double m = max_abs(r.row.max_score) + e.max_shift + e.behind;

  Sum budget(terms);
  double total = 0;
  const auto add = [&](std::string_view name, double value) { total += budget.add(name, value); };
  // log(1 + x + y + z) <= x + y + z: the split into causes costs less than a second-order term.
  add("scores", phi * dot(e.scores, r.row.sum_pi));
  add("exponent", phi * dot(e.exponent_lse, r.row.sum_pi));
  add("exp2", phi * dot(e.exp2, r.row.sum_pi));
  if (e.merged) add("part weights", phi * dot(e.merge.merge, r.row.sum_pi));
  add("far keys", e.far * static_cast<double>(r.row.live_keys));
  add("row sum", -std::log1p(-gam_l));
  // log(1 - u_l - lost), in its two causes.
  if (l_rounded) add("P rounding", -std::log1p(-u_l));
  add("lost row sum", -std::log1p(-lost / (1 - u_l)));
  // The merge's maximum is an LSE and needs no scale; its sum is at most one for each part.
  if (!e.merged) add("maximum", error_of_max_product(a, m) + 3 * a.eta);
  const double sum = e.merged ? static_cast<double>(e.live.parts) : r.row.sum_exp.hi;
  const double log_l = std::log(sum) + e.max_shift + e.behind + e.max_rho_lse + total;
  add("log", error_of_log(a.log, log_l));
  add("LSE rounding", kU * (lse + total));
  if (a.lse_format == Format::f16 || a.lse_format == Format::bf16) {
    add("LSE store",
        unit_roundoff(a.lse_format) * (lse + total) + smallest_subnormal(a.lse_format) / 2);
  }
  return budget.close(total);
}

bool larger(const Budget& a, const Budget& b) {
  if (a.unbounded == Unbounded::range || b.unbounded == Unbounded::range) {
    return a.unbounded == Unbounded::range;
  }
  if (a.unbounded != Unbounded::no || b.unbounded != Unbounded::no) {
    return a.unbounded != Unbounded::no;
  }
  return a.total > b.total;
}

// The larger budget of the views that the declaration leaves open.
template <class BudgetIn>
Budget worst_view(const RowBudget& r, const BudgetIn& budget_in) {
  const Resolved& a = r.arithmetic;
  ATTEST_EXPECTS(a.l_unrounded_possible || a.l_rounded_possible);
  if (!a.l_rounded_possible) return budget_in(r.unrounded, false);
  if (!a.l_unrounded_possible) return budget_in(r.rounded, true);
  Budget unrounded = budget_in(r.unrounded, false);
  Budget rounded = budget_in(r.rounded, true);
  return larger(unrounded, rounded) ? unrounded : rounded;
}

}  // namespace

bool RowBudget::is_bounded() const {
  const auto open = [](const View& view) { return view.error.unbounded != Unbounded::no; };
  return !(arithmetic.l_unrounded_possible && open(unrounded)) &&
         !(arithmetic.l_rounded_possible && open(rounded));
}

RowBudget prepare_row(const Problem& problem, const Resolved& arithmetic, const RowMoments& row) {
  ATTEST_EXPECTS(row.live_keys > 0);
  RowBudget prepared{problem, arithmetic, row, {}, {}};
  if (arithmetic.l_unrounded_possible) {
    prepared.unrounded = prepare_view(problem, arithmetic, row, false);
  }
  if (arithmetic.l_rounded_possible) {
    prepared.rounded = prepare_view(problem, arithmetic, row, true);
  }
  return prepared;
}

Budget budget_of_o(const RowBudget& row, const ElementMoments& element, const Enclosure& exact,
                   Terms terms) {
  const double o = max_abs(exact);
  return worst_view(row, [&](const RowBudget::View& view, bool l_rounded) {
    return budget_of_o_in(row, view, l_rounded, element, o, terms);
  });
}

Budget budget_of_lse(const RowBudget& row, const Enclosure& exact, Terms terms) {
  const double lse = max_abs(exact);
  return worst_view(row, [&](const RowBudget::View& view, bool l_rounded) {
    return budget_of_lse_in(row, view, l_rounded, lse, terms);
  });
}

}  // namespace attest
