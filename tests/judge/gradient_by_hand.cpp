#include "tests/judge/gradient_by_hand.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Real = long double;
using Matrix = std::vector<std::vector<Real>>;

constexpr Real kU = 0x1p-24L;

Matrix matrix_of(const Tensor& tensor) {
  Matrix m;
  for (Index row = 0; row < tensor.extents()[2]; ++row) {
    m.emplace_back();
    for (Index c = 0; c < tensor.extents()[3]; ++c) {
      m.back().push_back(tensor.view().value(0, 0, row, c));
    }
  }
  return m;
}

Real loss(Format format, bool cut) {
  if (format == Format::f32) return 0;
  return (cut ? 2 : 1) * (format == Format::f16 ? 0x1p-11L : 0x1p-8L);
}
Real half_subnormal(Format format) {
  return format == Format::f32 ? 0x1p-150L : format == Format::f16 ? 0x1p-25L : 0x1p-134L;
}
Real over_rest(Real gam) { return gam / (1 - gam); }

class ByHand {
 public:
  ByHand(const Problem& p, const Inputs& in, const Numerics& n, const StoredOff& off)
      : p_(p), n_(n), off_(off), sigma_(p.scale) {
    q_ = matrix_of(in.q);
    k_ = matrix_of(in.k);
    v_ = matrix_of(in.v);
    dout_ = matrix_of(in.dout);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      gl_.push_back(p.lse_gradient ? static_cast<Real>(in.glse.view().value(0, 0, i, 0)) : 0);
    }
  }

  GradientBudgets budgets() {
    const std::size_t d = k_[0].size();
    dk_.assign(k_.size(), std::vector<Real>(d));
    dv_.assign(k_.size(), std::vector<Real>(v_[0].size()));
    exact_dk_ = dk_;
    exact_dv_ = dv_;
    GradientBudgets b;
    for (std::size_t i = 0; i < q_.size(); ++i) b.dq.push_back(row(i));
    const Real n = static_cast<Real>(q_.size());
    for (std::size_t j = 0; j < k_.size(); ++j) {
      b.dk.emplace_back();
      b.dv.emplace_back();
      for (std::size_t c = 0; c < d; ++c) {
        b.dk[j].push_back(
            stored(exact_dk_[j][c], scaled(exact_dk_[j][c], sigma_ * (dk_[j][c] + n * eta()))));
      }
      for (std::size_t c = 0; c < v_[0].size(); ++c) {
        b.dv[j].push_back(stored(exact_dv_[j][c], dv_[j][c] + n * eta()));
      }
    }
    return b;
  }

 private:
  [[nodiscard]] Real eta() const { return *n_.ftz ? 0x1p-126L : 0x1p-149L; }
  [[nodiscard]] Real flushed() const { return *n_.ftz ? eta() : 0; }

  // `products` of the declared unit in steps of `length` slots; all slots hold one.
  [[nodiscard]] Real unit_loss(std::size_t products, std::size_t length) const {
    Real sum = 0;
    const std::size_t width = *n_.unit == Unit::h100 ? 16 : 1;
    for (std::size_t first = 0; first < products; first += length) {
      for (std::size_t at = first; at < std::min(products, first + length); at += width) {
        const std::size_t held = std::min({width, products - at, first + length - at});
        if (width == 1)
          sum += kU;
        else
          sum += static_cast<Real>(held - 1) * 0x1p-25L + 0x1p-23L;
      }
    }
    return sum;
  }

  [[nodiscard]] Real log_error(Real r, Real s, Real lse, Real l) const {
    const Real u_c = *n_.c == ConstantRounding::once ? kU : 1.23L * kU;
    const Real far = std::fabs(s - lse) + l;
    const Real high = std::fabs(lse) + l;
    Real e = 0;
    switch (*n_.exponent) {
      case Exponent::difference_first: e = kU * std::fabs(s) + 2.25L * kU * far; break;
      case Exponent::scaled_max:
      case Exponent::product_first:
        e = (u_c + kU) * std::fabs(s) + 1.25L * kU * high + kU * far;
        break;
      case Exponent::fused: e = u_c * std::fabs(s) + 1.25L * kU * high + kU * far; break;
    }
    const Real flushed_difference = *n_.ftz ? std::max(Real{1}, sigma_) * eta() : 0;
    return (1 + 8 * kU) * (r + e) - std::log1p(-static_cast<Real>(*n_.exp2)) + 2 * eta() +
           flushed_difference;
  }

  struct Weight {
    Real pi = 0;
    Real own = 0;
    Real of_row = 0;
    Real p = 0;
    Real dp = 0;
    Real dp_error = 0;
  };

  std::vector<Weight> weights_of(std::size_t i) const {
    std::vector<Real> s;
    std::vector<Real> a;
    for (const auto& key : k_) {
      Real dot = 0;
      Real size = 0;
      for (std::size_t c = 0; c < key.size(); ++c) {
        dot += q_[i][c] * key[c];
        size += std::fabs(q_[i][c] * key[c]);
      }
      s.push_back(sigma_ * dot);
      a.push_back(sigma_ * size);
    }
    const Real m = *std::ranges::max_element(s);
    Real sum = 0;
    for (const Real x : s) sum += std::exp(x - m);
    const Real lse = m + std::log(sum);
    const Real row_factor = std::expm1(off_.lse[i]);
    std::vector<Weight> weights;
    for (std::size_t j = 0; j < k_.size(); ++j) {
      Weight w;
      w.pi = std::exp(s[j] - lse);
      const Real gam = over_rest(unit_loss(k_[j].size(), k_[j].size()));
      const Real r = gam * a[j] + sigma_ * static_cast<Real>(k_[j].size()) * eta();
      const Real rho = log_error(r, s[j], lse, off_.lse[i]);
      w.own = (1 + row_factor) * w.pi * std::expm1(rho) + (*n_.exp_ftz ? 0x1p-126L : 0x1p-150L);
      w.of_row = w.pi * row_factor;
      w.p = w.pi + w.own + w.of_row;
      Real size = 0;
      for (std::size_t k = 0; k < v_[j].size(); ++k) {
        w.dp += dout_[i][k] * v_[j][k];
        size += std::fabs(dout_[i][k] * v_[j][k]);
      }
      w.dp_error = over_rest(unit_loss(v_[j].size(), v_[j].size())) * size +
                   static_cast<Real>(v_[j].size()) * eta();
      weights.push_back(w);
    }
    return weights;
  }

  [[nodiscard]] Real u_p() const { return loss(*n_.p_format, *n_.p_truncated); }
  [[nodiscard]] Real eta_p() const {
    return *n_.p_format == Format::f32 ? 0
                                       : (*n_.p_truncated ? 2 : 1) * half_subnormal(*n_.p_format);
  }
  [[nodiscard]] bool rounds_in_ds() const { return *n_.p_in_ds == PInDs::rounded; }

  // D of the row (less gL), and how far it may be off.
  std::pair<Real, Real> d_of(std::size_t i, const std::vector<Weight>& weights) const {
    const auto width = static_cast<Real>(v_[0].size());
    Real d = 0;
    Real size = 0;
    Real off = 0;
    for (std::size_t k = 0; k < v_[0].size(); ++k) {
      Real o = 0;
      for (std::size_t j = 0; j < v_.size(); ++j) o += weights[j].pi * v_[j][k];
      d += dout_[i][k] * o;
      size += std::fabs(dout_[i][k] * o);
      off += std::fabs(dout_[i][k]) * off_.o[i][k];
    }
    Real error = off + over_rest(width * kU) * (size + off) + width * (eta() + flushed());
    if (*n_.d_source == DSource::p_dp) {
      error = 0;
      Real computed = 0;
      for (const Weight& w : weights) {
        const Real rounded = rounds_in_ds() ? u_p() * w.p + eta_p() : 0;
        error += (w.own + w.of_row) * std::fabs(w.dp) + w.p * w.dp_error +
                 rounded * (std::fabs(w.dp) + w.dp_error) + eta() + flushed();
        computed += (w.p + rounded) * (std::fabs(w.dp) + w.dp_error);
      }
      error += over_rest(static_cast<Real>(weights.size()) * kU) * computed;
    }
    d -= gl_[i];
    if (p_.lse_gradient) error += kU * (std::fabs(d) + error) + flushed();
    return {d, error};
  }

  std::vector<Real> row(std::size_t i) {
    const std::vector<Weight> weights = weights_of(i);
    const auto [d, d_error] = d_of(i, weights);
    const std::size_t columns = k_[0].size();
    std::vector<Real> exact(columns);
    std::vector<Real> sums(columns);
    std::vector<Real> mean(columns);
    const auto tile = static_cast<std::size_t>(n_.dq_sum->tile);
    const std::size_t tiles = (k_.size() + tile - 1) / tile;
    const Real gam_q = over_rest(n_.dq_sum->kind == DqSum::Kind::one_chain
                                     ? unit_loss(k_.size(), tile)
                                     : unit_loss(std::min(tile, k_.size()), tile) +
                                           static_cast<Real>(tiles - 1) * kU);
    const Real gam_n = over_rest(unit_loss(q_.size(), static_cast<std::size_t>(*n_.tile_q)));
    for (std::size_t j = 0; j < k_.size(); ++j) {
      const Weight& w = weights[j];
      const Real df = std::fabs(w.dp - d);
      const Real y = w.dp_error + d_error + flushed();
      const Real c2 = 1 + 2 * kU * (1 + kU);
      const Real in_p = rounds_in_ds() ? (u_p() * w.p + eta_p()) * (df + y) * c2 : 0;
      const Real before = w.own * df + w.of_row * df + w.p * (w.dp_error + d_error) +
                          w.p * ((c2 - 1) * (df + y) + flushed()) + eta() + in_p;
      const bool narrow = *n_.ds_format != Format::f32;
      const Real ro = loss(*n_.ds_format, false) * (w.pi * df + before) +
                      (narrow ? half_subnormal(*n_.ds_format) : 0);
      const Real all = before + ro;
      const Real size = w.pi * df + all;
      const Real apart = all - w.of_row * df - w.p * d_error + d_error * (w.own + w.of_row);
      const Real p_size = w.p * (1 + u_p()) + eta_p();
      for (std::size_t c = 0; c < columns; ++c) {
        exact[c] += sigma_ * w.pi * (w.dp - d) * k_[j][c];
        mean[c] += w.pi * k_[j][c];
        sums[c] += (apart + gam_q * size) * std::fabs(k_[j][c]);
        dk_[j][c] += (all + gam_n * size) * std::fabs(q_[i][c]);
        exact_dk_[j][c] += sigma_ * w.pi * (w.dp - d) * q_[i][c];
      }
      for (std::size_t k = 0; k < v_[j].size(); ++k) {
        dv_[j][k] +=
            (w.own + w.of_row + u_p() * w.p + eta_p() + gam_n * p_size) * std::fabs(dout_[i][k]);
        exact_dv_[j][k] += w.pi * dout_[i][k];
      }
    }
    std::vector<Real> budgets;
    const Real operations = static_cast<Real>(k_.size() + (*n_.ftz ? tiles : 0));
    for (std::size_t c = 0; c < columns; ++c) {
      const Real x1 = sigma_ * (sums[c] + d_error * std::fabs(mean[c]) + operations * eta()) +
                      std::expm1(off_.lse[i]) * std::fabs(exact[c]);
      budgets.push_back(stored(exact[c], scaled(exact[c], x1)));
    }
    return budgets;
  }

  [[nodiscard]] Real scaled(Real x, Real x1) const { return x1 + kU * (std::fabs(x) + x1) + eta(); }
  [[nodiscard]] Real stored(Real x, Real b) const {
    const bool cut = *n_.o_rounding == Rounding::toward_zero;
    const Real normal = *n_.o_format == Format::f16 ? 0x1p-14L : 0x1p-126L;
    const Real eta_o = *n_.o_ftz ? normal : (cut ? 2 : 1) * half_subnormal(*n_.o_format);
    return b + loss(*n_.o_format, cut) * (std::fabs(x) + b) + eta_o;
  }

  const Problem& p_;
  const Numerics& n_;
  const StoredOff& off_;
  Real sigma_;
  Matrix q_;
  Matrix k_;
  Matrix v_;
  Matrix dout_;
  std::vector<Real> gl_;
  Matrix dk_;
  Matrix dv_;
  Matrix exact_dk_;
  Matrix exact_dv_;
};

}  // namespace

GradientBudgets gradient_budgets_by_hand(const Problem& problem, const Inputs& inputs,
                                         const Numerics& numerics, const StoredOff& off) {
  return ByHand(problem, inputs, numerics, off).budgets();
}

}  // namespace attest
