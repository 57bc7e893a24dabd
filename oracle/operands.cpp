#include "oracle/operands.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/upward.hpp"

namespace attest {

double floor_of(Format format, double x) { return floor_of(smallest_normal(format), x); }

KeyHead read_key_head(const Problem& problem, const Inputs& inputs, Index b, Index h_k) {
  KeyHead head;
  head.format = problem.in;
  head.n_k = problem.n_k;
  head.d_qk = problem.d_qk;
  head.d_v = problem.d_v;
  const ConstTensorView k = inputs.k.view();
  const ConstTensorView v = inputs.v.view();
  for (Index j = 0; j < problem.n_k; ++j) {
    double kappa = 0;
    bool finite = true;
    for (Index d = 0; d < problem.d_qk; ++d) {
      const double x = k.value(b, h_k, j, d);
      head.k.push_back(x);
      head.k_floor.push_back(floor_of(problem.in, x));
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

Magnitudes measure(const KeyHead& head, const QueryRow& query, double scale,
                   std::span<const Index> keys) {
  // Only products of two binary64 inputs can leave the range of binary64.
  const Index underflows = head.format == Format::f64 ? head.d_qk : 0;
  Magnitudes magnitudes;
  for (const Index j : keys) {
    const double* k = head.k_row(j);
    const double* k_floor = head.k_floor_row(j);
    double abs_dot = 0;
    double floored = 0;
    Index products = 0;
    for (std::size_t d = 0; d < query.q.size(); ++d) {
      abs_dot += std::fabs(query.q[d] * k[d]);
      floored += query.q_floor[d] * k_floor[d];
      products += query.q[d] != 0 && k[d] != 0;
    }
    magnitudes.abs_dot.push_back(inflate(abs_dot, head.d_qk + 1, underflows));
    magnitudes.products.push_back(products);
    magnitudes.a.push_back(product_up(scale, inflate(floored, head.d_qk + 1, underflows)));
  }
  return magnitudes;
}

}  // namespace attest
