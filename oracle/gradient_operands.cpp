#include "oracle/gradient_operands.hpp"

#include <cmath>

namespace attest {

void Specials::add(double x) {
  nan = nan || std::isnan(x);
  infinite = infinite || std::isinf(x);
}

void Magnified::add(Format format, double x) {
  floor.push_back(floor_of(format, x));
  nonzero += x != 0;
  floored = floored || floor.back() != std::fabs(x);
}

GradientHead read_gradient_head(const Problem& problem, const Inputs& inputs, Index b, Index h_k) {
  GradientHead head;
  head.keys = read_key_head(problem, inputs, b, h_k);
  const auto keys = static_cast<std::size_t>(problem.n_k);
  head.v.resize(keys);
  head.k_specials.resize(keys);
  head.v_specials.resize(keys);
  for (std::size_t n = 0; n < keys; ++n) {
    const auto j = static_cast<Index>(n);
    const double* k_row = head.keys.k_row(j);
    for (Index d = 0; d < problem.d_qk; ++d) head.k_specials[n].add(k_row[d]);
    const double* v_row = head.keys.v_row(j);
    for (Index d = 0; d < problem.d_v; ++d) {
      head.v_specials[n].add(v_row[d]);
      head.v[n].add(problem.in, v_row[d]);
    }
    head.finite = head.finite && !head.k_specials[n].any() && !head.v_specials[n].any();
  }
  return head;
}

GradientQuery read_gradient_query(const Problem& problem, const Inputs& inputs,
                                  const std::optional<StoredForward>& stored, Index b, Index h,
                                  Index i) {
  GradientQuery row;
  row.query = read_query_row(problem, inputs, b, h, i);
  for (const double x : row.query.q) row.q_specials.add(x);
  const ConstTensorView dout = inputs.dout.view();
  for (Index d = 0; d < problem.d_v; ++d) {
    const double x = dout.value(b, h, i, d);
    row.dout.push_back(x);
    row.magnified.add(problem.in, x);
    row.dout_specials.add(x);
    if (!stored) continue;
    row.o.push_back(stored->o.value(b, h, i, d));
    row.o_specials.add(row.o.back());
  }
  if (problem.lse_gradient) row.glse = inputs.glse.view().value(b, h, i, 0);
  if (stored) row.lse = stored->lse.value(b, h, i, 0);
  return row;
}

}  // namespace attest
