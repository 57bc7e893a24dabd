#include "oracle/moments.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/lanes.hpp"
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

LiveKey bound_key(const KeyHead& head, Index j, const PairMagnitudes& magnitudes,
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

// The moments of as many neighbouring columns as X has lanes.
//
// The deviation |v - O|: v - hi is exact where the two are within a factor of 2 of each other, and
// otherwise at least half of hi, beside which lo is nothing. So two roundings, relative to
// |v - hi - lo|, and one for adding the radius; then one for the product with pi f.
template <class X>
struct ColumnSums {
  X hi{}, lo{}, radius{};
  X running{}, peak{};
  X abs_v{}, floor_v{}, dev{};
  X pi_abs_v{}, pi_floor_v{};
  X pi_dev[kFactorCount] = {};

  ATTEST_LANES_INLINE void add(const LiveKey& key, const double* values, double least_floor) {
    X v;
    load(values, v);
    const X size = magnitude(v);
    const X floored = value_of(bits_of(larger(X(X{} + least_floor), size)) & nonzero_mask(size));
    const X deviation = magnitude(X((v - hi) - lo)) + radius;
    running = running * key.fade + size * key.running_weight;
    peak = larger(peak, running);
    abs_v += size;
    floor_v += floored;
    dev += deviation;
    if (!key.near) return;
    pi_abs_v += size * key.pi;
    pi_floor_v += floored * key.pi;
    for (std::size_t f = 0; f < kFactorCount; ++f) pi_dev[f] += deviation * key.pi_factors[f];
  }
};

// What a lane of the sums says, enlarged to bounds.
template <class X, class Lane>
ATTEST_LANES_INLINE ElementMoments bounds_of(const ColumnSums<X>& sums, Index count,
                                             const Lane& lane) {
  ElementMoments m;
  m.sum_abs_v = inflate(lane(sums.abs_v), count);
  m.sum_floor_v = inflate(lane(sums.floor_v), count);
  m.peak_abs = inflate(lane(sums.peak), 2 * count + 1, 2 * count);
  m.sum_dev = inflate(lane(sums.dev), count + 4);
  m.sum_pi_abs_v = inflate(lane(sums.pi_abs_v), count + 1, count);
  m.sum_pi_floor_v = inflate(lane(sums.pi_floor_v), count + 1, count);
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    m.sum_pi_dev[f] = inflate(lane(sums.pi_dev[f]), count + 5, count);
  }
  return m;
}

}  // namespace

std::vector<LiveKey> bound_live_keys(const KeyHead& head, const RowClass& row,
                                     const PairMagnitudes& magnitudes, const RowNumbers& numbers) {
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

ATTEST_WIDEST_LANES
std::vector<ElementMoments> measure_elements(const KeyHead& head, const std::vector<LiveKey>& keys,
                                             std::span<const Index> columns,
                                             std::span<const Centre> centres) {
  const double least_floor = smallest_normal(head.format);
  const auto count = static_cast<Index>(keys.size());
  std::vector<ElementMoments> result(columns.size());
  std::size_t c = 0;
  while (c < columns.size()) {
    const bool whole =
        c + kLanes <= columns.size() && columns[c + kLanes - 1] == columns[c] + kLanes - 1;
    if (whole) {
      ColumnSums<Lanes> sums;
      for (int n = 0; n < kLanes; ++n) {
        sums.hi[n] = centres[c + n].hi;
        sums.lo[n] = centres[c + n].lo;
        sums.radius[n] = centres[c + n].radius;
      }
      for (const LiveKey& key : keys) sums.add(key, head.v_row(key.j) + columns[c], least_floor);
      for (int n = 0; n < kLanes; ++n) {
        result[c + n] = bounds_of(sums, count, [n](const Lanes& x) { return x[n]; });
      }
      c += kLanes;
    } else {
      ColumnSums<double> sums{centres[c].hi, centres[c].lo, centres[c].radius};
      for (const LiveKey& key : keys) sums.add(key, head.v_row(key.j) + columns[c], least_floor);
      result[c] = bounds_of(sums, count, [](double x) { return x; });
      ++c;
    }
  }
  return result;
}

}  // namespace attest
