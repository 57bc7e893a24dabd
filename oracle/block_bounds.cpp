#include "oracle/block_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/lanes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
// Weights whose exponents stay above this are normal through every change of frame.
constexpr double kLargestGap = 700;
// Beyond, moments would no longer be sharp.
constexpr double kLargestError = 0x1p-20;
// Pays for a handful of roundings in a line of binary64, from above and from below.
constexpr double kUpward = 1 + 0x1p-45;
constexpr double kDownward = 1 - 0x1p-45;
// A key's share in a sum of magnitudes that binary32 may lose, in units of the largest magnitude.
constexpr double kLostShare = 0x1p-120;
// Of the quotient: its own rounding, and those of the two ends of its enclosure.
constexpr double kAround = 4 * kRoundoff;
// What a numerator may lose to underflow, and more.
constexpr double kLostNumerator = 0x1p-1000;

double gamma_of(Index operations) {
  return static_cast<double>(operations) * kRoundoff * (1 + 0x1p-20);
}

// At least e^x - 1. Requires: 0 <= x <= 1.
double growth_of(double x) { return (x + x * x) * kUpward; }

// A binary32 that is no larger. The factor pays for its rounding; where it may be subnormal, 0 is.
float down(double x) {
  return x < 0x1p-100 ? 0.0F : static_cast<float>(std::min(x, 0x1p127) * (1 - 0x1p-22));
}

Enclosure around(double centre, double radius) {
  return {std::nextafter(centre - radius, -kInfinity), std::nextafter(centre + radius, kInfinity)};
}

}  // namespace

MagnitudeScale magnitude_scale(const Problem& p, double q_unit, double k_unit) {
  const double scale = p.scale * q_unit * k_unit * (1 + 0x1p-30);
  const auto d = static_cast<double>(p.d_qk);
  return {scale * (1 + (d + 4) * 0x1p-23), scale * d * 0x1p-120};
}

BlockBounds::BlockBounds(const Problem& problem, const WideHead& head, KeyRange live,
                         const RowSums& sums)
    : problem_(problem), head_(head), live_(live), floor_(smallest_normal(problem.in)) {
  double all = 0;
  for (const double x : {sums.w, sums.w_a2, sums.w_s2, sums.w_gap2, sums.max_a, sums.max_s})
    all += x;
  const double radius = (gamma_of(problem.d_qk + 1) * sums.max_a + kSmallest) * kUpward;
  const double gap =
      sums.max_gap * (1 + static_cast<double>(sums.rises) * 0x1p-52) * kUpward + 2 * radius;
  if (!std::isfinite(all) || !(gap <= kLargestGap)) return;
  const Index keys = live.end - live.first;
  const Index operations = keys + sums.tiles + sums.rises + 4;
  const double exps = static_cast<double>(1 + sums.rises);
  const double log_error = (radius + kRoundoff * gap + exps * kExpLogError) * kUpward;
  if (!(log_error <= kLargestError)) return;
  l_ = sums.w;
  t_ = (growth_of(log_error) + 2 * gamma_of(operations)) * kUpward;
  grow_ = (1 + 4 * t_) * kUpward;
  const double delta = static_cast<double>(operations + sums.rises + 4) * 0x1p-23;
  usable_ = t_ <= kLargestError && delta <= 0.125;
  if (!usable_) return;
  up_ = (1 + 2 * delta) * grow_ * kUpward / l_;
  low_ = (1 - 2 * delta) * (1 - 8 * t_) * kDownward / l_;

  const double around_sum = 2 * (t_ + growth_of(radius)) * l_;
  row_.max_score = around(sums.m, radius);
  row_.sum_exp = around(l_, around_sum);
  row_.sum_exp.lo = std::max(row_.sum_exp.lo, 1.0);
  const double log_l = std::log(l_);
  const double lse = sums.m + log_l;
  lse_ = around(lse, (log_error + 2 * gamma_of(operations) + 4 * kRoundoff * log_l +
                      2 * kRoundoff * std::fabs(lse)) *
                             kUpward +
                         kSmallest);
  lse_.lo = std::max(lse_.lo, row_.max_score.lo);
  row_.live_keys = keys;
  row_.first_live = live.first;
  row_.last_live = live.end - 1;
  row_.argmax = sums.argmax;
  row_.max_products = problem.d_qk;
  row_.max_live_abs_score = (sums.max_s + radius) * kUpward;
  row_.max_abs_dot = sums.max_a / problem.scale * kUpward;
  row_.max_near = {1, sums.max_a, row_.max_live_abs_score, gap, head.max_kappa};
  const double root = std::sqrt(grow_) * kUpward;
  const auto mean = [&](double sum, double off) { return (sum / l_ + off) * grow_ * kUpward; };
  const auto norm = [&](double sum, double off) {
    return (std::sqrt(sum / l_) + off) * root * kUpward;
  };
  row_.sum_pi = {grow_, mean(sums.w_a, 0), mean(sums.w_s, radius), mean(sums.w_gap, 2 * radius),
                 head.max_kappa * grow_ * kUpward};
  norm_ = {root, norm(sums.w_a2, 0), norm(sums.w_s2, radius), norm(sums.w_gap2, 2 * radius),
           head.max_kappa * root * kUpward};
}

bool BlockBounds::write(const double* o, const float* spread, std::size_t row,
                        Answer& answer) const {
  const Index d_v = problem_.d_v;
  for (Index k = 0; k < d_v; ++k) {
    const std::size_t element = row * static_cast<std::size_t>(d_v) + static_cast<std::size_t>(k);
    if (!write_element(o[k], spread[k], spread[d_v + k], k, element, answer)) return false;
  }
  answer.lse_class[row] = OutputClass::finite;
  answer.lse[row] = lse_;
  answer.rows[row] = row_;
  answer.bits[row] = kLooseBits;
  return true;
}

bool BlockBounds::write_element(double numerator, float size, float square, Index k,
                                std::size_t element, Answer& answer) const {
  const double largest = head_.column_max[static_cast<std::size_t>(k)];  // in units, like all below
  answer.o_class[element] = OutputClass::finite;
  if (largest == 0) {
    answer.o[element] = {};
    answer.elements[element] = {};
    answer.least[element] = {};
    return true;
  }
  const double unit = head_.v_unit;  // a power of two, as is what it divides by
  const double in_units = 1 / unit;
  const auto keys = static_cast<double>(row_.live_keys);
  const double lost = keys * kLostShare;
  const double mean_up = (static_cast<double>(size) + lost) * up_;
  const double mean_low = std::max(0.0, static_cast<double>(size) - lost) * low_;
  const double square_up = (static_cast<double>(square) + lost) * up_;
  const double square_low = std::max(0.0, static_cast<double>(square) - lost) * low_;
  const double o = numerator / l_;
  const double radius =
      (2.5 * t_ * mean_up * unit + kAround * std::fabs(o)) * kUpward + kLostNumerator;
  const double o_up = (std::fabs(o) + radius) * in_units * kUpward;
  const double o_low = std::max(0.0, std::fabs(o) - radius) * in_units * kDownward;
  if (!std::isfinite(mean_up + square_up + o)) return false;

  const double variance_up = std::max(0.0, square_up - o_low * o_low * kDownward) * kUpward;
  const double variance_low = std::max(0.0, square_low - o_up * o_up * kUpward) * kDownward;
  const double deviation = std::sqrt(variance_up) * unit * kUpward;
  ElementMoments& m = answer.elements[element];
  m.sum_pi_abs_v = mean_up * unit;
  m.sum_pi_floor_v = (m.sum_pi_abs_v + floor_ * grow_) * kUpward;
  for (std::size_t f = 0; f < kFactorCount; ++f) m.sum_pi_dev[f] = norm_[f] * deviation * kUpward;
  m.sum_abs_v = std::min(head_.sum_abs_v(live_.first, live_.end, k, problem_.d_v),
                         keys * largest * unit * kUpward);
  m.sum_floor_v = (m.sum_abs_v + keys * floor_) * kUpward;
  m.sum_dev = (m.sum_abs_v + keys * o_up * unit) * kUpward;
  m.peak_abs = m.sum_abs_v;
  answer.o[element] = {o - radius, o + radius};
  answer.least[element] = {down(std::max(mean_low, o_low) * unit),
                           down(variance_low / (largest + o_up) * unit)};
  return true;
}

}  // namespace attest
