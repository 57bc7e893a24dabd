#include "judge/pair_error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends
constexpr double kTwoRoundings = 2 * kU * (1 + kU);
constexpr double kLightest = 0x1p-60;  // weights below it matter to no gradient

// An upper bound of e^x - 1. Up to 1 the series' rest is at most (e - 5/2) x^3.
double excess(double x) {
  if (x > 1) return std::expm1(x);
  return x * (1 + x * (0.5 + 0.21829 * x));
}

// |p^ - pi| by the pair's own errors: pi (e^rho - 1). Where pi itself is lost in binary64 s_j lies
// below L, and |s_j - L| still says how far.
double own_error(const RowCosts& row, const Pair& pair, double rho) {
  const double grown = 1 + row.row_factor;
  if (pair.pi >= row.log_form_below || rho <= 1) return grown * pair.pi * excess(rho);
  return grown * std::exp(rho - (pair.abs_log_pi * row.log_pi_kept - row.log_pi_excess));
}

// Where a weight leaves the range of the format it is rounded to.
double weight_limit(const Resolved& a) {
  if (a.p_format == Format::f16) return largest_finite(Format::f16) / (1 + a.u_p);
  return kLargest;
}

double ds_limit(const BackwardArithmetic& a) {
  return a.ds_format == Format::f16 ? overflow_threshold(Format::f16) : kLargest;
}

}  // namespace

LogErrorShares log_error(const RowCosts& row, const Pair& pair, double kappa) {
  const Coefficients& c = row.score;
  LogErrorShares rho;
  rho.scores = c[kOne] + c[kA] * pair.a + c[kAbsScore] * pair.abs_score + c[kKappa] * kappa;
  rho.exponent = row.exponent + row.per_score * pair.abs_score + row.per_log_pi * pair.abs_log_pi;
  rho.exp2 = row.exp2;
  return rho;
}

WeightError weight_error(const BackwardArithmetic& a, const RowCosts& row, const Pair& pair,
                         double kappa) {
  const LogErrorShares log = log_error(row, pair, kappa);
  const double rho = log.sum();
  WeightError e;
  e.own = own_error(row, pair, rho) + a.shared.eta_x;
  e.of_row = pair.pi * row.row_factor;
  e.p = pair.pi + e.own + e.of_row;
  if (!(pair.abs_score + log.scores < row.score_limit) || !(e.p < weight_limit(a.shared))) {
    e.unbounded = Unbounded::range;
  } else if (rho > 1 && e.p > kLightest) {
    e.unbounded = Unbounded::magnitude;
  }
  return e;
}

double dp_error(const BackwardArithmetic& a, const Pair& pair, double gam_of_dp) {
  const bool as_is = a.shared.unit_known && a.shared.unit == Unit::fp32_seq;
  return gam_of_dp * (as_is ? pair.g : pair.g_floor) +
         static_cast<double>(pair.products) * a.shared.eta;
}

bool dp_stays_in_range(const Pair& pair, double dp_error) {
  return pair.g * (1 + kU) + dp_error < kLargest;
}

ScoreGradientError score_gradient_error(const BackwardArithmetic& a, const RowCosts& row,
                                        const Pair& pair, const WeightError& weight, double dp) {
  const double p = weight.p;
  const double difference = pair.abs_dp_less_d;
  const double flushed = a.shared.ftz ? a.shared.eta : 0;
  const double off = dp + row.d_error + flushed;  // of dP - D, before it is rounded
  ScoreGradientError e;
  e.magnitude = pair.pi * difference;
  e.of_weight = weight.own * difference;
  e.of_lse = weight.of_row * difference;
  e.of_dp = p * dp;
  e.of_d = p * row.d_error;
  e.of_arithmetic = p * (kTwoRoundings * (difference + off) + flushed) + a.shared.eta;
  if (a.p_rounded_in_ds) {
    e.of_p_rounding =
        (a.shared.u_p * p + a.shared.eta_p) * (difference + off) * (1 + kTwoRoundings);
  }
  const double computed = e.magnitude + e.sum();
  e.of_rounding = a.u_ds * computed;
  e.of_underflow = a.eta_ds;
  if (!dp_stays_in_range(pair, dp) || !(difference + off < kLargest) || !(computed < ds_limit(a))) {
    e.unbounded = Unbounded::range;
  }
  return e;
}

}  // namespace attest
