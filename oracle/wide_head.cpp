#include "oracle/wide_head.hpp"

#include <algorithm>
#include <cmath>

#include "core/widen_row.hpp"
#include "oracle/lanes.hpp"
#include "oracle/operands.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr Index kPrefixBlock = 64;

std::size_t at(Index row, Index columns, Index column) {
  return static_cast<std::size_t>(row * columns + column);
}

void read_keys(const Problem& p, const Inputs& inputs, Index b, Index h_k, WideHead& head) {
  const ConstTensorView k = inputs.k.view();
  const double smallest = smallest_normal(p.in);
  double largest = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    double kappa = 0;
    double* row = head.k.data() + at(j, p.d_qk, 0);
    widen_row(k, b, h_k, j, row);
    for (Index c = 0; c < p.d_qk; ++c) {
      const double x = row[c];
      head.finite = head.finite && std::isfinite(x);
      kappa += std::fabs(x);
      largest = std::max(largest, floor_of(smallest, x));
    }
    head.max_kappa = std::max(head.max_kappa, kappa);
  }
  head.max_kappa = inflate(head.max_kappa, p.d_qk);
  head.k_unit = unit_above(largest);
  for (std::size_t e = 0; e < head.k.size(); ++e) {
    head.k_floor[e] = static_cast<float>(floor_of(smallest, head.k[e]) / head.k_unit);
  }
}

void read_values(const Problem& p, const Inputs& inputs, Index b, Index h_k, WideHead& head) {
  const ConstTensorView v = inputs.v.view();
  double largest = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    double* row = head.v.data() + at(j, p.d_v, 0);
    widen_row(v, b, h_k, j, row);
    for (Index c = 0; c < p.d_v; ++c) {
      const double x = row[c];
      head.finite = head.finite && std::isfinite(x);
      largest = std::max(largest, std::fabs(x));
    }
  }
  head.v_unit = unit_above(largest);
  head.column_max.resize(static_cast<std::size_t>(p.d_v));
  head.prefix_abs_v.reserve(at(p.n_k / kPrefixBlock + 2, p.d_v, 0));
  std::vector<double> sums(static_cast<std::size_t>(p.d_v));
  for (Index j = 0; j < p.n_k; ++j) {
    if (j % kPrefixBlock == 0) {
      head.prefix_abs_v.insert(head.prefix_abs_v.end(), sums.begin(), sums.end());
    }
    for (Index c = 0; c < p.d_v; ++c) {
      const auto column = static_cast<std::size_t>(c);
      const double size = std::fabs(head.v[at(j, p.d_v, c)]);
      const double scaled = size / head.v_unit;
      sums[column] += size;
      head.column_max[column] = std::max(head.column_max[column], scaled);
      head.v_sizes[at(j, 2 * p.d_v, c)] = static_cast<float>(scaled);
      head.v_sizes[at(j, 2 * p.d_v, p.d_v + c)] = static_cast<float>(scaled * scaled);
    }
  }
  head.prefix_abs_v.insert(head.prefix_abs_v.end(), sums.begin(), sums.end());
}

}  // namespace

double unit_above(double largest) {
  if (largest == 0 || !std::isfinite(largest)) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, exponent);
}

WideQueries read_wide_queries(const Problem& p, const Inputs& inputs, Index b, Index h) {
  WideQueries queries;
  const ConstTensorView q = inputs.q.view();
  const double smallest = smallest_normal(p.in);
  queries.q.resize(at(p.n_q, p.d_qk, 0));
  for (Index i = 0; i < p.n_q; ++i) {
    double largest = 0;
    bool finite = true;
    double* row = queries.q.data() + at(i, p.d_qk, 0);
    widen_row(q, b, h, i, row);
    for (Index c = 0; c < p.d_qk; ++c) {
      finite = finite && std::isfinite(row[c]);
      largest = std::max(largest, floor_of(smallest, row[c]));
    }
    queries.finite.push_back(finite);
    queries.largest.push_back(largest);
  }
  return queries;
}

WideHead read_wide_head(const Problem& p, const Inputs& inputs, Index b, Index h_k) {
  WideHead head;
  head.keys = p.n_k;
  head.padded = (p.n_k + kLanes - 1) / kLanes * kLanes;
  head.k.resize(at(head.padded, p.d_qk, 0));
  head.k_floor.resize(head.k.size());
  head.v.resize(at(head.padded, p.d_v, 0));
  head.v_sizes.resize(2 * head.v.size());
  read_keys(p, inputs, b, h_k, head);
  read_values(p, inputs, b, h_k, head);
  return head;
}

double WideHead::sum_abs_v(Index first, Index end, Index column, Index d_v) const {
  const Index low = first / kPrefixBlock;
  const Index high = (end + kPrefixBlock - 1) / kPrefixBlock;
  const double upper = prefix_abs_v[at(high, d_v, column)];
  // The difference of two rounded prefixes: each is off by keys 2^-53 of itself at most.
  return next_up((upper - prefix_abs_v[at(low, d_v, column)]) +
                 upper * static_cast<double>(keys + 4) * 0x1p-52);
}

}  // namespace attest
