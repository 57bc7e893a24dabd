#include "judge/score_error.hpp"

#include <algorithm>

namespace attest {
namespace {

double u_of_store(ScoreStore store) {
  if (store == ScoreStore::f16) return unit_roundoff(Format::f16);
  return store == ScoreStore::bf16 ? unit_roundoff(Format::bf16) : 0;
}

double eta_of_store(ScoreStore store) {
  if (store == ScoreStore::f16) return smallest_subnormal(Format::f16) / 2;
  return store == ScoreStore::bf16 ? smallest_subnormal(Format::bf16) / 2 : 0;
}

}  // namespace

double later_scale(const Problem& problem, const Resolved& arithmetic) {
  const double sigma = problem.scale;
  if (!arithmetic.scale_at_known) return std::max(1.0, sigma);
  return arithmetic.scale_at.q ? 1.0 : sigma;
}

double stored_part(const Problem& problem, const Resolved& arithmetic) {
  if (!arithmetic.scale_at_known) return std::max(1.0, 1.0 / problem.scale);
  return 1.0 / later_scale(problem, arithmetic);
}

Coefficients score_coefficients(const Problem& problem, const Resolved& a, Index max_products) {
  const double gam = gam_of_dot(a, problem.d_qk, max_products);
  const double sigma = later_scale(problem, a);
  Coefficients c{};
  double q_relative = 0;  // h_j = q_relative a_j + q_absolute kappa_j: Q rounded after scaling
  double q_absolute = 0;
  if (a.scale_at.q) {
    const Format q = *a.scale_at.q;
    q_relative = unit_roundoff(q) + 2 * kU;
    q_absolute = smallest_subnormal(q) / 2 + (a.ftz ? 0x1p-126 : 0);
    // A scaled Q may be subnormal in f16, where a unit sees it as large as the smallest normal.
    if (q == Format::f16) c[kKappa] += gam * smallest_normal(q);
  }
  c[kA] += gam * (1 + q_relative) + q_relative;
  c[kKappa] += gam * q_absolute + q_absolute;
  c[kOne] += sigma * static_cast<double>(problem.d_qk) * a.eta;
  if (const double u_s = u_of_store(a.s_store); u_s > 0) {
    for (double& coefficient : c) coefficient *= 1 + u_s;
    c[kAbsScore] += u_s;
    c[kOne] += sigma * eta_of_store(a.s_store);
  }
  return c;
}

}  // namespace attest
