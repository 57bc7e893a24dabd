#include "judge/gradient_row.hpp"

#include <algorithm>
#include <cmath>

#include "judge/forward_budget.hpp"
#include "judge/least_moments.hpp"

namespace attest {
namespace {

constexpr double kSecondOrder = 1 + 8 * kU;
constexpr double kLargest = 0x1p127;
constexpr double kLog2e = 1.4426950408889634;
// binary32(log2 e) is off by 0.224 u; with the rounding of the product, and some to spare.
constexpr double kLogConstant = 1.25 * kU;

// e_j = per_score |s_j| + per_log_pi |s_j - L~| + per_lse |L~| of one exponent form.
struct ExponentCost {
  double per_score;
  double per_log_pi;
  double per_lse;
};

ExponentCost exponent_cost(Exponent form, double u_c, bool product_is_exact) {
  switch (form) {
    case Exponent::difference_first: return {product_is_exact ? 0 : kU, kU + kLogConstant, 0};
    case Exponent::scaled_max:
    case Exponent::product_first: return {u_c + kU, kU, kLogConstant};
    case Exponent::fused: return {u_c, kU, kLogConstant};
  }
  return {};
}

// An unknown form costs what the costliest does, factor by factor.
ExponentCost exponent_cost_of(const Resolved& a) {
  const bool exact = a.scale_at_known && a.scale_at.q.has_value();
  if (a.exponent_known) return exponent_cost(a.exponent, a.u_c, exact);
  const ExponentCost difference = exponent_cost(Exponent::difference_first, a.u_c, exact);
  const ExponentCost product = exponent_cost(Exponent::product_first, a.u_c, exact);
  return {std::max(difference.per_score, product.per_score),
          std::max(difference.per_log_pi, product.per_log_pi),
          std::max(difference.per_lse, product.per_lse)};
}

// The range conditions of Theorem 4 that concern a row as a whole; those of its scores are asked
// pair by pair against score_limit.
bool may_leave_range(const Problem& problem, const Resolved& a, const BackwardRow& row) {
  const double sigma = problem.scale;
  if (sigma < 0x1p-126 || sigma * kLog2e >= 0x1p128) return true;
  if (a.scale_at.q && (sigma > 1 || shape_of(*a.scale_at.q).emax < shape_of(problem.in).emax)) {
    return true;
  }
  return !(row.max_abs_dot < kLargest / 2);
}

double score_limit(const Problem& problem, const Resolved& a, double lse) {
  const double limit = kLargest / kLog2e - lse;
  if (a.s_store != ScoreStore::f16) return limit;
  return std::min(limit, overflow_threshold(Format::f16) / stored_part(problem, a));
}

// What is left of a budget of O without its last rounding. The terms add up to at most the total.
double before_output_rounding(const Budget& budget) {
  for (const BudgetTerm& term : budget.terms) {
    if (term.name == "output rounding") return budget.total - term.value + 0x1p-51 * budget.total;
  }
  return budget.total;
}

// |D^ - D| where D is a chain over dO_ik O_ik: its roundings, and `stored`, what is off in O.
double error_of_output_chain(const Problem& problem, const Resolved& a, const RowInputs& in,
                             double stored) {
  const double operations = static_cast<double>(problem.d_v) * (a.ftz ? 2 : 1);
  return stored + gam_of_f32_chain(problem.d_v) * (in.row.sum_abs_dout_o + stored) +
         operations * a.eta;
}

struct SumOverPairs {
  Unbounded unbounded = Unbounded::no;
  double error = 0;
  double abs_dp = 0;  // sum of pi |dP|
};

// |D^ - D| where D is a chain over P_ij dP_ij. Where dS takes rounded weights, D may, too.
SumOverPairs error_of_pair_chain(const BackwardArithmetic& a, const RowInputs& in,
                                 const RowCosts& costs) {
  const double gam = gam_of_f32_chain(static_cast<Index>(in.pairs.size()));
  SumOverPairs sum;
  double size = 0;
  bool in_range = true;
  for (const Pair& pair : in.pairs) {
    const WeightError w = weight_error(a, costs, pair, in.kappa[pair.j]);
    const double dp = dp_error(a, pair, in.gam_of_dp[pair.products]);
    const double rounded = a.p_rounded_in_ds ? a.shared.u_p * w.p + a.shared.eta_p : 0;
    if (w.unbounded != Unbounded::no && sum.unbounded != Unbounded::range) {
      sum.unbounded = w.unbounded;
    }
    sum.error += w.all() * pair.abs_dp + w.p * dp + rounded * (pair.abs_dp + dp) +
                 (a.shared.ftz ? 2 : 1) * a.shared.eta;
    size += (w.p + rounded) * (pair.abs_dp + dp);
    sum.abs_dp += pair.pi * pair.abs_dp;
    in_range = in_range && dp_stays_in_range(pair, dp);
  }
  sum.error += gam * size;
  if (!(size < kLargest) || !in_range) sum.unbounded = Unbounded::range;
  return sum;
}

// Lemma 14: the largest over the sources that the declaration leaves open.
void bound_d(const Problem& problem, const BackwardArithmetic& a, const RowInputs& in,
             const StoredError& stored, RowCosts& costs) {
  const double of_rounding =
      a.shared.u_o * in.row.sum_abs_dout_o + a.shared.eta_o * in.sum_abs_dout;
  double error = 0;
  // Without a bound of O there is none of D, and nothing says that it stays in range.
  const auto require = [&](bool bounded) {
    if (!bounded) costs.d = Unbounded::range;
  };
  if (a.d_from_stored_o) {
    if (!in.stage_wise) require(stored.o_bounded);
    const double off = in.stage_wise ? 0 : stored.o;
    error = std::max(error, error_of_output_chain(problem, a.shared, in, off));
  }
  if (a.d_from_f32_o) {
    require(in.stage_wise ? stored.in_range : stored.f32_o_bounded);
    const double off = in.stage_wise ? of_rounding : stored.f32_o;
    error = std::max(error, error_of_output_chain(problem, a.shared, in, off));
  }
  if (a.d_from_p) {
    const SumOverPairs pairs = error_of_pair_chain(a, in, costs);
    if (pairs.unbounded != Unbounded::no && costs.d == Unbounded::no) costs.d = pairs.unbounded;
    require(pairs.unbounded != Unbounded::range);
    double off = pairs.error;
    // Undeclared, a stage is judged against the D of its stored O: the two sources differ by what
    // the forward's own budgets allow.
    if (in.stage_wise && a.d_from_stored_o) {
      require(stored.lse_bounded && stored.o_bounded);
      off += stored.o + std::expm1(stored.lse) * pairs.abs_dp;
    }
    error = std::max(error, off);
  }
  if (!(in.row.sum_abs_dout_o + error < kLargest)) costs.d = Unbounded::range;
  if (problem.lse_gradient) {
    error += kU * (max_abs(in.row.d) + error) + (a.shared.ftz ? a.shared.eta : 0);
  }
  costs.d_error = error;
}

}  // namespace

bool needs_forward(const BackwardArithmetic& a, bool stage_wise) {
  if (!stage_wise) return true;
  if (a.d_from_f32_o && a.shared.o_saturates) return true;
  return a.d_from_p && a.d_from_stored_o;
}

StoredError stored_error(const Problem& problem, const Resolved& arithmetic, const Answer& forward,
                         std::size_t row, const double* abs_dout, Bounds bounds) {
  StoredError e;
  if (forward.lse_class[row] != OutputClass::finite) {
    e.lse_bounded = e.o_bounded = e.f32_o_bounded = e.in_range = false;
    return e;
  }
  const bool least = bounds == Bounds::least && forward.is_loose(row);
  const auto seen = [&](const Enclosure& exact) { return least ? nearest(exact) : exact; };
  const RowMoments moments = least ? least_of(forward.rows[row]) : forward.rows[row];
  const RowBudget budget = prepare_row(problem, arithmetic, moments);
  const Budget lse = budget_of_lse(budget, seen(forward.lse[row]));
  e.lse_bounded = lse.unbounded == Unbounded::no;
  e.lse = lse.total;
  const double end = largest_finite(arithmetic.o_format);
  for (Index k = 0; k < problem.d_v; ++k) {
    const std::size_t element = row * static_cast<std::size_t>(problem.d_v) + k;
    const bool finite = forward.o_class[element] == OutputClass::finite;
    const Enclosure exact = seen(forward.o[element]);
    const ElementMoments of_element =
        least ? least_of(forward.least[element]) : forward.elements[element];
    const Budget o = finite ? budget_of_o(budget, of_element, exact) : Budget{};
    if (!finite || o.unbounded != Unbounded::no) {
      e.o_bounded = e.f32_o_bounded = e.in_range = false;
      continue;
    }
    if (!(max_abs(exact) + o.total < end)) e.o_bounded = e.in_range = false;
    e.o += abs_dout[k] * o.total;
    e.f32_o += abs_dout[k] * before_output_rounding(o);
  }
  return e;
}

RowCosts row_costs(const Problem& problem, const BackwardArithmetic& a, const RowInputs& in,
                   const StoredError& stored) {
  const Resolved& shared = a.shared;
  RowCosts costs;
  if (!in.stage_wise) {
    // An LSE off by anything may take its weights out of range.
    if (!stored.lse_bounded) costs.weights = Unbounded::range;
    costs.lse = stored.lse;
    costs.row_factor = std::expm1(stored.lse);
  }
  // Of weights without useful bounds nobody can say that they stay in range.
  if (!in.row.sharp || may_leave_range(problem, shared, in.row)) costs.weights = Unbounded::range;
  if (costs.weights != Unbounded::no) return costs;

  costs.score = score_coefficients(problem, shared, in.row.score_products);
  for (double& coefficient : costs.score) coefficient *= kSecondOrder;
  const ExponentCost e = exponent_cost_of(shared);
  const double lse = max_abs(in.row.lse) + costs.lse;
  costs.exponent = kSecondOrder * (e.per_lse * lse + e.per_log_pi * costs.lse);
  costs.per_score = kSecondOrder * e.per_score;
  costs.per_log_pi = kSecondOrder * e.per_log_pi;
  // Products in the exponent may underflow; differences where they are flushed.
  const double flushed = shared.ftz ? std::max(1.0, later_scale(problem, shared)) * shared.eta : 0;
  costs.exp2 = -std::log1p(-shared.eps) + 2 * shared.eta + flushed;
  costs.score_limit = score_limit(problem, shared, lse);
  // The form that is never the smaller one, whichever a sharper answer takes.
  if (in.row.loose) costs.log_form_below = 0x1p-899;
  costs.log_pi_kept -= in.row.excess.relative;
  costs.log_pi_excess = in.row.excess.score;
  bound_d(problem, a, in, stored, costs);
  return costs;
}

}  // namespace attest
