#include "tests/oracle/arb_gradients.hpp"

namespace attest {
namespace {

std::vector<Ball> read_row(ConstTensorView view, Index b, Index h, Index row) {
  std::vector<Ball> balls;
  for (Index d = 0; d < view.extents[3]; ++d) balls.emplace_back(view.value(b, h, row, d));
  return balls;
}

std::vector<Ball> magnitudes(const std::vector<Ball>& x) {
  std::vector<Ball> result;
  for (const Ball& ball : x) result.push_back(abs(ball));
  return result;
}

Index key_head(const Problem& problem, Index h) { return h / (problem.heads_q / problem.heads_k); }

void differentiate(const Ball& glse, ArbBackwardRow& row) {
  for (std::size_t n = 0; n < row.p.size(); ++n) {
    Ball ds = glse * row.p[n];
    for (std::size_t m = 0; m < row.p.size(); ++m) {
      const Ball product = row.p[m] * row.p[n];
      ds += row.dp[m] * (m == n ? row.p[n] - product : Ball(0) - product);
    }
    row.ds.push_back(ds);
  }
}

void resize(ArbGradient& gradient, const Extents& extents) {
  gradient.values.resize(static_cast<std::size_t>(volume(extents)));
  gradient.sizes.resize(gradient.values.size());
}

void add(ArbGradient& gradient, Index row, const Ball& factor, const Ball& size,
         const std::vector<Ball>& y) {
  for (std::size_t c = 0; c < y.size(); ++c) {
    const std::size_t e = static_cast<std::size_t>(row) * y.size() + c;
    gradient.values[e] += factor * y[c];
    gradient.sizes[e] += size * abs(y[c]);
  }
}

}  // namespace

ArbBackwardRow arb_backward_row(const Problem& problem, const Inputs& inputs,
                                const std::optional<StoredForward>& stored, Index b, Index h,
                                Index i) {
  const ArbRow arb = arb_row(problem, inputs, b, h, i);
  ArbBackwardRow row;
  row.keys = arb.keys;
  if (arb.keys.size() == 0) return row;
  row.s = arb.s;
  row.lse = stored ? Ball(stored->lse.value(b, h, i, 0)) : arb.lse;
  const auto dout = read_row(inputs.dout.view(), b, h, i);
  for (std::size_t n = 0; n < arb.s.size(); ++n) {
    const Index j = arb.keys.first + static_cast<Index>(n);
    const auto v = read_row(inputs.v.view(), b, key_head(problem, h), j);
    row.dp.push_back(dot(dout, v));
    row.g.push_back(dot(magnitudes(dout), magnitudes(v)));
    row.p.push_back(stored ? exp(arb.s[n] - row.lse) : arb.pi[n]);
  }
  const auto o = stored ? read_row(stored->o, b, h, i) : arb.o;
  row.abs_dout_o = dot(magnitudes(dout), magnitudes(o));
  const bool from_p = stored && stored->d_from_p;
  const Ball glse(problem.lse_gradient ? inputs.glse.view().value(b, h, i, 0) : 0);
  row.d = (from_p ? dot(row.p, row.dp) : dot(dout, o)) - glse;
  row.d_size = (stored && !from_p ? row.abs_dout_o : dot(row.p, row.g)) + abs(glse);
  for (std::size_t n = 0; n < row.p.size(); ++n) {
    row.ds_size.push_back(row.p[n] * (row.g[n] + row.d_size));
    if (stored) row.ds.push_back(row.p[n] * (row.dp[n] - row.d));
  }
  if (!stored) differentiate(glse, row);
  return row;
}

ArbGradients arb_gradients(const Problem& problem, const Inputs& inputs,
                           const std::optional<StoredForward>& stored) {
  ArbGradients result;
  resize(result.dq, problem.q_extents());
  resize(result.dk, problem.k_extents());
  resize(result.dv, problem.v_extents());
  const Ball scale(static_cast<double>(problem.scale));
  for (Index q_row = 0; q_row < problem.batch * problem.heads_q * problem.n_q; ++q_row) {
    const Index i = q_row % problem.n_q;
    const Index h = q_row / problem.n_q % problem.heads_q;
    const Index b = q_row / problem.n_q / problem.heads_q;
    if (i >= problem.live_queries(b)) continue;
    const Index h_k = key_head(problem, h);
    const ArbBackwardRow row = arb_backward_row(problem, inputs, stored, b, h, i);
    for (std::size_t n = 0; n < row.ds.size(); ++n) {
      const Index j = row.keys.first + static_cast<Index>(n);
      const Index k_row = (b * problem.heads_k + h_k) * problem.n_k + j;
      const Ball factor = scale * row.ds[n];
      const Ball size = scale * row.ds_size[n];
      add(result.dq, q_row, factor, size, read_row(inputs.k.view(), b, h_k, j));
      add(result.dk, k_row, factor, size, read_row(inputs.q.view(), b, h, i));
      add(result.dv, k_row, row.p[n], row.p[n], read_row(inputs.dout.view(), b, h, i));
    }
  }
  return result;
}

}  // namespace attest
