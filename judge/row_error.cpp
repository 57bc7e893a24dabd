#include "judge/row_error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double kSecondOrder = 1 + 8 * kU;   // Theorem 4: what the first order leaves out
constexpr double kFarWeight = 0x1p-280;       // Lemma 6
constexpr double kFarMargin = 200;            // e^-200 < 2^-288
constexpr double kLargestExponent = 0x1p127;  // half of where binary32 ends
constexpr double kLog2e = 1.4426950408889634;
constexpr double kLn2 = 0.6931471805599454;  // rounded up

Index tiles_of(const Resolved& arithmetic, const RowMoments& row) {
  return row.last_live / arithmetic.tile_k - row.first_live / arithmetic.tile_k + 1;
}

// e_j and its companion for LSE, of one exponent form: Theorem 4, part 2. `m` bounds the computed
// maximum's magnitude. Differences are of computed scores, hence gap + r*.
// `behind`: error-analysis.md, Corollary 6.1.
struct ExponentError {
  Coefficients o{};
  Coefficients lse{};
};

struct Frame {
  double m = 0;
  double max_shift = 0;
  double behind = 0;
  bool one_tile = false;
};

ExponentError exponent_error(Exponent form, double u_c, const Frame& frame) {
  const bool scaled = form == Exponent::scaled_max;
  const bool by_difference = form == Exponent::difference_first;
  const double per_gap = (by_difference ? 2 : scaled ? 1 : 3) * kU + u_c;
  ExponentError error;
  error.o[kGap] = per_gap;
  error.o[kOne] = per_gap * (frame.max_shift + 2 * frame.behind);
  if (scaled || form == Exponent::product_first) error.o[kAbsScore] = kU;
  error.lse = error.o;
  if (form == Exponent::fused || form == Exponent::product_first) {
    error.o[kOne] += frame.one_tile ? 0 : 2 * kU * frame.m;
    error.lse[kOne] += kU * frame.m;
  }
  if (scaled) error.lse[kOne] += u_c * frame.m;
  return error;
}

// An unknown form costs what the costliest does, factor by factor.
ExponentError exponent_error_of(const Resolved& a, const Frame& frame) {
  if (a.exponent_known) return exponent_error(a.exponent, a.u_c, frame);
  ExponentError worst;
  for (const Exponent form : {Exponent::difference_first, Exponent::scaled_max,
                              Exponent::product_first, Exponent::fused}) {
    const ExponentError error = exponent_error(form, a.u_c, frame);
    for (std::size_t f = 0; f < kFactorCount; ++f) {
      worst.o[f] = std::max(worst.o[f], error.o[f]);
      worst.lse[f] = std::max(worst.lse[f], error.lse[f]);
    }
  }
  return worst;
}

bool may_be_fused(const Resolved& a) { return !a.exponent_known || a.exponent == Exponent::fused; }

// How far any live key's computed score may be off, far ones included.
double largest_score_error(const Coefficients& scores, const RowMoments& row, double max_shift) {
  if (row.far_keys == 0) return max_shift;
  const double per_gap = scores[kA] * row.far_a + scores[kAbsScore] * row.far_abs_score +
                         scores[kKappa] * row.far_kappa;
  const double largest_gap = max_abs(row.max_score) + row.max_live_abs_score;
  return std::max(max_shift, scores[kOne] + per_gap * largest_gap);
}

// The range conditions of Theorem 4 (A3 and A5) that a row can violate as a whole.
bool may_leave_range(const Problem& problem, const Resolved& a, const RowMoments& row,
                     double score_error, Index tiles) {
  const double sigma = problem.scale;
  if (sigma < 0x1p-126 || sigma * kLog2e >= 0x1p128) return true;
  // A scaled Q may pass the end of its format.
  if (a.scale_at.q && (sigma > 1 || shape_of(*a.scale_at.q).emax < shape_of(problem.in).emax)) {
    return true;
  }
  // Half of the limit: the difference of two scores must stay finite too.
  if (!(row.max_abs_dot < kLargestExponent / 2)) return true;
  const double largest_score = row.max_live_abs_score + score_error;
  if (!(largest_score * kLog2e < kLargestExponent)) return true;
  if (a.s_store == ScoreStore::f16 &&
      !(largest_score * stored_part(problem, a) < overflow_threshold(Format::f16))) {
    return true;
  }
  // A fused shift of one tile concerns the maximum alone.
  const double shifted =
      tiles > 1 ? largest_score + a.lag * kLn2 : max_abs(row.max_score) + score_error;
  return may_be_fused(a) && !(kU * shifted < 1);
}

// Lemma 6: every far key weighs at most e^-200 / e^r after all errors.
bool far_keys_are_negligible(const Coefficients& rho, const RowMoments& row, double max_rho) {
  if (row.far_keys == 0) return true;
  const double per_gap = rho[kGap] + rho[kA] * row.far_a + rho[kAbsScore] * row.far_abs_score +
                         rho[kKappa] * row.far_kappa;
  return per_gap <= 0.5 && kNearGap * (1 - per_gap) - rho[kOne] - max_rho >= kFarMargin;
}

bool is_sharp(const Coefficients& rho, const RowMoments& row, double max_rho) {
  return max_rho <= 1 && far_keys_are_negligible(rho, row, max_rho);
}

Coefficients sum(const Coefficients& a, const Coefficients& b, const Coefficients& c,
                 const Coefficients& d) {
  Coefficients total{};
  for (std::size_t f = 0; f < kFactorCount; ++f) total[f] = a[f] + b[f] + c[f] + d[f];
  return total;
}

// Theorem 15: nothing common to a part's weights cancels after the merge, so that O sees what LSE
// sees, and the merge's own share.
void merge_parts(RowError& e, const Resolved& a, const RowMoments& row, double m, bool l_rounded) {
  e.exponent = e.exponent_lse;
  const double max_rho = dot(sum(e.scores, e.exponent, e.exp2, {}), row.max_near);
  const double gam_l = gam_of_row_sum(a, e.live.keys, e.tiles);
  const double u_l = l_rounded ? a.u_p : 0;
  const double slack = max_rho - std::log1p(-std::min(gam_l, 0.5)) - std::log1p(-u_l);
  e.merge = bound_merge(a, row, e.live, {m, e.max_shift + e.behind, slack});
}

}  // namespace

double max_abs(const Enclosure& e) { return std::max(std::fabs(e.lo), std::fabs(e.hi)); }

double dot(const Coefficients& coefficients, const FactorSums& sums) {
  double total = 0;
  // A factor that takes no part may have an infinite sum.
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    if (coefficients[f] != 0) total += coefficients[f] * sums[f];
  }
  return total;
}

double growth(double x) { return x > 0 ? std::expm1(x) / x : 1; }

double RowError::mean_rho(const RowMoments& row) const {
  return dot(scores, row.sum_pi) + dot(exponent, row.sum_pi) + dot(exp2, row.sum_pi) +
         dot(merge.merge, row.sum_pi);
}

double RowError::mean_rho_lse(const RowMoments& row) const {
  return dot(scores, row.sum_pi) + dot(exponent_lse, row.sum_pi) + dot(exp2, row.sum_pi) +
         dot(merge.merge, row.sum_pi);
}

RowError bound_row_error(const Problem& problem, const Resolved& a, const RowMoments& row,
                         bool l_rounded) {
  RowError e;
  if (a.split) e.live = live_parts(a, row);
  e.merged = a.split && merge_rounds(a, e.live.parts);
  e.tiles = e.merged ? e.live.tiles : tiles_of(a, row);
  const auto exps = static_cast<double>(e.tiles);  // a weight and R = tiles - 1 rescale factors
  e.scores = score_coefficients(problem, a, row.max_products);
  e.max_shift = dot(e.scores, row.max_near);
  e.behind = e.tiles > 1 ? a.lag * kLn2 : 0;
  const double m = max_abs(row.max_score) + e.max_shift + e.behind;
  const ExponentError exponent = exponent_error_of(a, {m, e.max_shift, e.behind, e.tiles == 1});
  e.exponent = exponent.o;
  e.exponent_lse = exponent.lse;
  // exp2 errs relatively; the products in its argument may underflow, and differences where they
  // are flushed.
  const double flushed_difference = a.ftz ? std::max(1.0, later_scale(problem, a)) * a.eta : 0;
  e.exp2[kOne] = exps * (-std::log1p(-a.eps) + 2 * a.eta + flushed_difference);
  for (Coefficients* part : {&e.scores, &e.exponent, &e.exponent_lse}) {
    for (double& coefficient : *part) coefficient *= kSecondOrder;
  }
  if (e.merged) merge_parts(e, a, row, m, l_rounded);
  const Coefficients rho = sum(e.scores, e.exponent, e.exp2, e.merge.merge);
  const Coefficients rho_lse = sum(e.scores, e.exponent_lse, e.exp2, e.merge.merge);
  e.max_rho = dot(rho, row.max_near);
  e.max_rho_lse = dot(rho_lse, row.max_near);

  const double score_error = largest_score_error(e.scores, row, e.max_shift);
  // A part of far keys has a maximum of its own, as another tile has.
  const Index maxima = e.merged ? std::max(e.tiles, e.live.parts) : e.tiles;
  if (may_leave_range(problem, a, row, score_error, maxima)) {
    e.unbounded = e.unbounded_lse = Unbounded::range;
    return e;
  }
  e.unbounded = is_sharp(rho, row, e.max_rho) ? Unbounded::no : Unbounded::magnitude;
  e.unbounded_lse = is_sharp(rho_lse, row, e.max_rho_lse) ? Unbounded::no : Unbounded::magnitude;
  const bool cancels = a.exponent_known && a.exponent == Exponent::difference_first;
  e.frame = std::exp(e.max_shift + e.max_rho + (cancels ? 0 : kU * m));
  const auto live = static_cast<double>(row.live_keys);
  const double l = row.sum_exp.lo;
  const bool after = a.p_normalised == PNormalised::after_pv;
  // Undeclared counts as before P V, but may be either: the larger.
  e.pv_unit = after ? e.frame / l : std::max(1.0, e.frame / l);
  // What a rescale factor loses by underflow is worth as much as the weight it meets.
  const double eta_x = a.eta_x * std::exp(e.behind);
  // A weight divided before P V may underflow there, too.
  e.theta = e.frame * eta_x * exps / l + e.pv_unit * a.eta_p + (after ? 0 : a.eta);
  // l alpha, and additions
  const double rescales = (exps - 1) * (e.merged ? static_cast<double>(e.live.parts) : 1);
  e.flushed = e.frame * (rescales + (a.ftz ? live : 0)) * a.eta / l;
  e.lost = e.flushed + e.frame * live * (eta_x * exps + (l_rounded ? a.eta_p : 0)) / l;
  if (e.merged) {
    const auto parts = static_cast<double>(e.live.parts);
    e.weight_lost = e.frame * parts * a.eta_x;
    e.parts_lost = parts * e.weight_lost + e.frame * 3 * parts * a.eta;
  }
  e.far = row.far_keys > 0 ? kFarWeight : 0;
  return e;
}

}  // namespace attest
