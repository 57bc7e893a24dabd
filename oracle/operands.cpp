#include "oracle/operands.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/lanes.hpp"
#include "oracle/upward.hpp"

namespace attest {

double floor_of(Format format, double x) { return floor_of(smallest_normal(format), x); }

KeyHead read_key_head(const Problem& problem, const Inputs& inputs, Index b, Index h_k) {
  KeyHead head;
  head.format = problem.in;
  head.n_k = problem.n_k;
  head.d_qk = problem.d_qk;
  head.d_v = problem.d_v;
  const double least_floor = smallest_normal(problem.in);
  const ConstTensorView k = inputs.k.view();
  const ConstTensorView v = inputs.v.view();
  for (Index j = 0; j < problem.n_k; ++j) {
    double kappa = 0;
    bool finite = true;
    for (Index d = 0; d < problem.d_qk; ++d) {
      const double x = k.value(b, h_k, j, d);
      head.k.push_back(x);
      head.k_floor.push_back(floor_of(least_floor, x));
      kappa += std::fabs(x);
      finite = finite && std::isfinite(x);
    }
    head.kappa.push_back(inflate(kappa, problem.d_qk));
    head.finite.push_back(finite);
    for (Index d = 0; d < problem.d_v; ++d) {
      const double x = v.value(b, h_k, j, d);
      head.v.push_back(x);
      head.v_finite = head.v_finite && std::isfinite(x);
    }
  }
  return head;
}

QueryRow read_query_row(const Problem& problem, const Inputs& inputs, Index b, Index h, Index i) {
  QueryRow query;
  const ConstTensorView q = inputs.q.view();
  for (Index d = 0; d < problem.d_qk; ++d) {
    const double x = q.value(b, h, i, d);
    query.q.push_back(x);
    query.q_floor.push_back(floor_of(problem.in, x));
    query.finite = query.finite && std::isfinite(x);
  }
  return query;
}

namespace {

// What one pair's magnitudes add up to, as computed: at most d + 4 roundings a term.
struct PairSizes {
  double abs_dot = 0;
  double floored = 0;
  double products = 0;
};

template <class X>
struct PairLanes {
  X abs_dot{}, floored{}, products{};

  ATTEST_LANES_INLINE void add(const double* q, const double* q_floor, const double* k,
                               const double* k_floor) {
    X a, a_floor, b, b_floor;
    load(q, a);
    load(q_floor, a_floor);
    load(k, b);
    load(k_floor, b_floor);
    abs_dot += magnitude(X(a * b));
    floored += a_floor * b_floor;
    // A floor is 0 where its number is.
    products += value_of(bits_of(X(X{} + 1.0)) & nonzero_mask(a_floor) & nonzero_mask(b_floor));
  }
};

ATTEST_WIDEST_LANES
PairSizes sizes_of(const double* q, const double* q_floor, const double* k, const double* k_floor,
                   Index d) {
  const Index whole = d / kLanes * kLanes;
  PairLanes<Lanes> many;
  PairLanes<double> one;
  for (Index c = 0; c < whole; c += kLanes) many.add(q + c, q_floor + c, k + c, k_floor + c);
  for (Index c = whole; c < d; ++c) one.add(q + c, q_floor + c, k + c, k_floor + c);
  return {one.abs_dot + sum_of(many.abs_dot), one.floored + sum_of(many.floored),
          one.products + sum_of(many.products)};
}

}  // namespace

PairMagnitudes measure(const KeyHead& head, const QueryRow& query, double scale,
                       std::span<const Index> keys) {
  // Only products of two binary64 inputs can leave the range of binary64.
  const Index underflows = head.format == Format::f64 ? head.d_qk : 0;
  const Index roundings = head.d_qk + 4;
  PairMagnitudes magnitudes;
  magnitudes.abs_dot.reserve(keys.size());
  magnitudes.products.reserve(keys.size());
  magnitudes.a.reserve(keys.size());
  for (const Index j : keys) {
    const PairSizes sizes = sizes_of(query.q.data(), query.q_floor.data(), head.k_row(j),
                                     head.k_floor_row(j), head.d_qk);
    magnitudes.abs_dot.push_back(inflate(sizes.abs_dot, roundings, underflows));
    magnitudes.products.push_back(static_cast<Index>(sizes.products));
    magnitudes.a.push_back(product_up(scale, inflate(sizes.floored, roundings, underflows)));
  }
  return magnitudes;
}

}  // namespace attest
