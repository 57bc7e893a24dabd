#include "oracle/moments.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/upward.hpp"

namespace attest {
namespace {

LiveKey key_without_weight(const KeyHead& head, Index j) {
  LiveKey key;
  key.products = head.d_qk;
  key.j = j;
  key.factors = {1, kInfinity, kInfinity, kInfinity, kInfinity};
  key.abs_dot = kInfinity;
  key.gap_least = kInfinity;
  return key;
}

LiveKey bound_key(const KeyHead& head, Index j, const Magnitudes& magnitudes,
                  const RowNumbers& numbers, std::size_t n) {
  LiveKey key;
  key.j = j;
  key.gap_least = numbers.gap_least[n];
  key.near = key.gap_least <= kNearGap;
  key.pi = numbers.pi[n];
  key.fade = numbers.fade[n];
  key.running_weight = numbers.running_weight[n];
  key.abs_dot = magnitudes.abs_dot[n];
  key.products = magnitudes.products[n];
  key.factors[kOne] = 1;
  key.factors[kA] = magnitudes.a[n];
  key.factors[kAbsScore] = numbers.abs_score[n];
  key.factors[kGap] = numbers.gap[n];
  key.factors[kKappa] = head.kappa[static_cast<std::size_t>(j)];
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    key.pi_factors[f] = f == kOne ? key.pi : product_up(key.pi, key.factors[f]);
  }
  return key;
}

// f_j / (m - s_j). A score of -inf gives no finite ratio.
double far_ratio(const LiveKey& key, Factor f) {
  return key.gap_least == kInfinity ? kInfinity : quotient_up(key.factors[f], key.gap_least);
}

void raise(double& maximum, double candidate) { maximum = std::max(maximum, candidate); }

}  // namespace

std::vector<LiveKey> bound_live_keys(const KeyHead& head, const RowClass& row,
                                     const Magnitudes& magnitudes, const RowNumbers& numbers) {
  std::vector<LiveKey> keys;
  keys.reserve(row.live.size());
  std::size_t n = 0;
  for (const Index j : row.live) {
    if (n < row.weighted.size() && row.weighted[n] == j) {
      keys.push_back(bound_key(head, j, magnitudes, numbers, n));
      ++n;
    } else {
      keys.push_back(key_without_weight(head, j));
    }
  }
  return keys;
}

RowMoments measure_row(const std::vector<LiveKey>& keys) {
  RowMoments row;
  row.live_keys = static_cast<Index>(keys.size());
  row.first_live = keys.front().j;
  row.last_live = keys.back().j;
  for (const LiveKey& key : keys) {
    raise(row.max_live_abs_score, key.factors[kAbsScore]);
    raise(row.max_abs_dot, key.abs_dot);
    row.max_products = std::max(row.max_products, key.products);
    if (key.near) {
      for (std::size_t f = 0; f < kFactorCount; ++f) {
        row.sum_pi[f] += key.pi_factors[f];
        raise(row.max_near[f], key.factors[f]);
      }
    } else {
      ++row.far_keys;
      raise(row.far_a, far_ratio(key, kA));
      raise(row.far_abs_score, far_ratio(key, kAbsScore));
      raise(row.far_kappa, far_ratio(key, kKappa));
    }
  }
  for (double& sum : row.sum_pi) sum = inflate(sum, row.live_keys);
  return row;
}

// The deviation |v - O|: v - hi is exact where the two are within a factor of 2 of each other, and
// otherwise at least half of hi, beside which lo is nothing. So two roundings, relative to
// |v - hi - lo|, and one for adding the radius; then one for the product with pi f.
ElementMoments measure_element(const KeyHead& head, const std::vector<LiveKey>& keys, Index k,
                               const Centre& centre) {
  ElementMoments sums;
  double running = 0;
  for (const LiveKey& key : keys) {
    const double v = head.v_row(key.j)[k];
    const double magnitude = std::fabs(v);
    const double floored = floor_of(head.format, v);
    const double deviation = std::fabs((v - centre.hi) - centre.lo) + centre.radius;
    running = running * key.fade + key.running_weight * magnitude;
    raise(sums.peak_abs, running);
    sums.sum_abs_v += magnitude;
    sums.sum_floor_v += floored;
    sums.sum_dev += deviation;
    if (!key.near) continue;
    sums.sum_pi_abs_v += key.pi * magnitude;
    sums.sum_pi_floor_v += key.pi * floored;
    for (std::size_t f = 0; f < kFactorCount; ++f) {
      sums.sum_pi_dev[f] += key.pi_factors[f] * deviation;
    }
  }
  const auto count = static_cast<Index>(keys.size());
  sums.sum_abs_v = inflate(sums.sum_abs_v, count);
  sums.sum_floor_v = inflate(sums.sum_floor_v, count);
  sums.peak_abs = inflate(sums.peak_abs, 2 * count + 1, 2 * count);
  sums.sum_dev = inflate(sums.sum_dev, count + 4);
  sums.sum_pi_abs_v = inflate(sums.sum_pi_abs_v, count + 1, count);
  sums.sum_pi_floor_v = inflate(sums.sum_pi_floor_v, count + 1, count);
  for (double& sum : sums.sum_pi_dev) sum = inflate(sum, count + 5, count);
  return sums;
}

}  // namespace attest
