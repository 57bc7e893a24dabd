#include "tests/oracle/arb_oracle.hpp"

#include <algorithm>

namespace attest {
namespace {

std::vector<Ball> read_row(const Tensor& tensor, Index b, Index h, Index row) {
  const ConstTensorView view = tensor.view();
  std::vector<Ball> balls;
  for (Index d = 0; d < view.extents[3]; ++d) balls.emplace_back(view.value(b, h, row, d));
  return balls;
}

}  // namespace

VisibleKeys visible_keys(const Problem& problem, Index b, Index i) {
  const Index last_key = problem.live_keys(b) - 1;
  Index centre = i;
  if (problem.align == Align::bottom_right) {
    centre += problem.live_keys(b) - problem.live_queries(b);
  }
  VisibleKeys keys{0, last_key};
  if (problem.left != kUnlimited) keys.first = std::max(keys.first, centre - problem.left);
  if (problem.right != kUnlimited) keys.last = std::min(last_key, centre + problem.right);
  return keys;
}

ArbRow arb_row(const Problem& problem, const Inputs& inputs, Index b, Index h, Index i,
               const MaskRule& mask) {
  ArbRow row;
  row.keys = mask(problem, b, i);
  if (row.keys.size() == 0) return row;
  const Index group = problem.heads_q / problem.heads_k;
  const Index h_k = h / group;
  const std::vector<Ball> q = read_row(inputs.q, b, h, i);
  const Ball scale(static_cast<double>(problem.scale));
  for (Index j = row.keys.first; j <= row.keys.last; ++j) {
    row.s.push_back(scale * dot(q, read_row(inputs.k, b, h_k, j)));
  }
  row.m = row.s.front();
  for (const Ball& s : row.s) row.m = max(row.m, s);
  for (const Ball& s : row.s) row.l += exp(s - row.m);
  row.lse = row.m + log(row.l);
  for (const Ball& s : row.s) row.pi.push_back(exp(s - row.m) / row.l);

  row.o.resize(static_cast<std::size_t>(problem.d_v));
  for (std::size_t n = 0; n < row.pi.size(); ++n) {
    const auto v = read_row(inputs.v, b, h_k, row.keys.first + static_cast<Index>(n));
    for (std::size_t k = 0; k < v.size(); ++k) row.o[k] += row.pi[n] * v[k];
  }
  return row;
}

}  // namespace attest
