#include "tests/judge/budget_by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace attest {
namespace {

using Real = long double;

constexpr Real kU = 0x1p-24L;
constexpr Real kLeast = 0x1p-126L;  // where binary32 stops being normal

// One key's quantities; or the largest of each over all keys.
struct Key {
  Real a = 0;
  Real s = 0;  // |s|
  Real gap = 0;
  Real kappa = 0;
};

Real precision_loss(Format format, bool truncated = false) {
  const Real u = format == Format::bf16 ? 0x1p-8L : format == Format::f16 ? 0x1p-11L : 0;
  return truncated ? 2 * u : u;
}

Real half_subnormal(Format format) {
  switch (format) {
    case Format::f16: return 0x1p-25L;
    case Format::bf16: return 0x1p-134L;
    default: return 0x1p-150L;
  }
}

// Adds up what each block of a unit loses: `groups` times `slots` products, all there.
Real lost_in_blocks(Unit unit, Index groups, Index slots) {
  Real sum = 0;
  for (Index g = 0; g < groups; ++g) {
    for (Index first = 0; first < slots;) {
      const Index width = unit == Unit::fp32_seq ? 1
                          : unit == Unit::v100   ? 4
                          : unit == Unit::a100   ? 8
                                                 : 16;
      const auto n = static_cast<Real>(std::min(width, slots - first));
      if (unit == Unit::fp32_seq || unit == Unit::exact_rn) sum += kU;
      if (unit == Unit::v100) sum += (n - 1) * 0x1p-23L + 0x1p-23L;
      if (unit == Unit::a100) sum += (n - 1) * 0x1p-24L + 0x1p-23L;
      if (unit == Unit::h100) sum += (n - 1) * 0x1p-25L + 0x1p-23L;
      first += width;
    }
  }
  return sum;
}

Real over_rest(Real gam) { return gam / (1 - gam); }

// (e^x - 1) / x
Real growth_of(Real x) { return x == 0 ? 1 : std::expm1(x) / x; }

class Row {
 public:
  Row(const Problem& p, const Inputs& in, const Numerics& n) : p_(p), n_(n), sigma_(p.scale) {
    for (Index j = 0; j < p.n_k; ++j) {
      Real s = 0;
      Key key;
      for (Index c = 0; c < p.d_qk; ++c) {
        const Real q = in.q.view().value(0, 0, 0, c);
        const Real k = in.k.view().value(0, 0, j, c);
        s += sigma_ * q * k;
        key.a += sigma_ * std::fabs(q * k);
        key.kappa += std::fabs(k);
      }
      key.s = std::fabs(s);
      scores_.push_back(s);
      keys_.push_back(key);
      v_.push_back(in.v.view().value(0, 0, j, 0));
    }
    m_ = *std::ranges::max_element(scores_);
    for (const Real s : scores_) l_ += std::exp(s - m_);
    for (std::size_t j = 0; j < keys_.size(); ++j) {
      pi_.push_back(std::exp(scores_[j] - m_) / l_);
      o_ += pi_[j] * v_[j];
      keys_[j].gap = m_ - scores_[j];
      most_.a = std::max(most_.a, keys_[j].a);
      most_.s = std::max(most_.s, keys_[j].s);
      most_.gap = std::max(most_.gap, keys_[j].gap);
      most_.kappa = std::max(most_.kappa, keys_[j].kappa);
    }
    r_star_ = score(most_);
    if (tile_count() > 1)
      lag_ = static_cast<Real>(n.max.value_or(RowMax{}).lag) * std::log(Real{2});
    m_off_ = std::fabs(m_) + r_star_ + lag_;
    top_ = score(most_) + shift(most_) + power();
    top_lse_ = score(most_) + shift_lse(most_) + power();
  }

  HandBudget terms() const {
    HandBudget hand;
    fill_o(hand.o);
    fill_lse(hand.lse);
    return hand;
  }

 private:
  Real live() const { return static_cast<Real>(p_.n_k); }
  Index tile_count() const { return (p_.n_k + *n_.tile_k - 1) / *n_.tile_k; }
  Real tiles() const { return static_cast<Real>(tile_count()); }
  Real eta() const { return *n_.ftz ? kLeast : 0x1p-149L; }
  Real u_c() const { return *n_.c == ConstantRounding::once ? kU : 1.23L * kU; }
  bool rounded() const { return *n_.l_from == LFrom::rounded; }
  bool after() const { return *n_.p_normalised == PNormalised::after_pv; }
  bool is(Exponent form) const { return *n_.exponent == form; }
  Real later_sigma() const { return n_.scale_at->q ? 1 : sigma_; }

  // r_j
  Real score(const Key& key) const {
    Real h = 0;
    Real floor_of_q = 0;
    if (const auto q = n_.scale_at->q) {
      const Real u_in = *q == Format::f32 ? kU : precision_loss(*q);
      h = (u_in + 2 * kU) * key.a + (half_subnormal(*q) + (*n_.ftz ? kLeast : 0)) * key.kappa;
      if (*q == Format::f16) floor_of_q = 0x1p-14L * key.kappa;
    }
    const Real gam = over_rest(lost_in_blocks(*n_.unit, 1, p_.d_qk));
    const Real g =
        gam * (key.a + h + floor_of_q) + later_sigma() * static_cast<Real>(p_.d_qk) * eta();
    Real r = g + h;
    if (*n_.s_store == ScoreStore::f16 || *n_.s_store == ScoreStore::bf16) {
      const Format store = *n_.s_store == ScoreStore::f16 ? Format::f16 : Format::bf16;
      r += precision_loss(store) * (key.s + r) + later_sigma() * half_subnormal(store);
    }
    return r * (1 + 8 * kU);
  }

  // e_j
  Real shift(const Key& key) const {
    const Real gap = key.gap + r_star_ + 2 * lag_;
    const Real moved = tile_count() > 1 ? 2 * kU * m_off_ : 0;
    Real e = 0;
    switch (*n_.exponent) {
      case Exponent::difference_first: e = (2 * kU + u_c()) * gap; break;
      case Exponent::scaled_max: e = (kU + u_c()) * gap + kU * key.s; break;
      case Exponent::fused: e = (3 * kU + u_c()) * gap + moved; break;
      case Exponent::product_first: e = (3 * kU + u_c()) * gap + moved + kU * key.s; break;
    }
    return e * (1 + 8 * kU);
  }

  // e'_j
  Real shift_lse(const Key& key) const {
    const Real gap = key.gap + r_star_ + 2 * lag_;
    Real e = 0;
    switch (*n_.exponent) {
      case Exponent::difference_first: e = (2 * kU + u_c()) * gap; break;
      case Exponent::scaled_max: e = (kU + u_c()) * gap + kU * key.s + u_c() * m_off_; break;
      case Exponent::fused: e = (3 * kU + u_c()) * gap + kU * m_off_; break;
      case Exponent::product_first: e = (3 * kU + u_c()) * gap + kU * m_off_ + kU * key.s; break;
    }
    return e * (1 + 8 * kU);
  }

  // The weight's exp2 and the rescale factors', with what may underflow in their arguments.
  Real power() const {
    const Real difference = *n_.ftz ? std::max(Real{1}, later_sigma()) * eta() : 0;
    return tiles() * (-std::log1p(-static_cast<Real>(*n_.exp2)) + 2 * eta() + difference);
  }

  Real u_p() const { return precision_loss(*n_.p_format, *n_.p_truncated); }
  Real u_div() const {
    return *n_.divide == Divide::exact ? kU : *n_.divide == Divide::reciprocal ? 2 * kU : 5 * kU;
  }
  Real u_p_in_pv() const { return after() ? u_p() : u_p() + u_div() * (1 + u_p()) + kU; }
  Real eta_p() const {
    if (*n_.p_format == Format::f32) return 0;
    return (*n_.p_truncated ? 2 : 1) * half_subnormal(*n_.p_format);
  }
  Real eta_x() const { return (*n_.exp_ftz ? kLeast : 0x1p-150L) * std::exp(lag_); }
  Real frame() const {
    return std::exp(r_star_ + top_ + (is(Exponent::difference_first) ? 0 : kU * m_off_));
  }
  Real theta() const {
    return frame() * eta_x() * tiles() / l_ + pv_unit() * eta_p() + (after() ? 0 : eta());
  }
  Real pv_unit() const { return after() ? frame() / l_ : std::max(Real{1}, frame() / l_); }
  Real flushed() const { return frame() * (tiles() - 1 + (*n_.ftz ? live() : 0)) * eta() / l_; }
  Real lost() const {
    const Real weights = live() * (eta_x() * tiles() + (rounded() ? eta_p() : 0));
    return frame() * weights / l_ + flushed();
  }
  Real gam_l() const {
    if (n_.l_chain->lanes == 1) return (live() - 1 + tiles() - 1) * kU;
    const auto lanes = static_cast<Real>(n_.l_chain->lanes);
    const Real longest = std::ceil(live() / lanes) + 2 + std::ceil(std::log2(lanes));
    return (std::min(live() - 1, longest) + tiles() - 1) * kU;
  }

  // sum over keys of weight(j) f(j)
  Real mean(const std::function<Real(std::size_t)>& f) const {
    Real sum = 0;
    for (std::size_t j = 0; j < keys_.size(); ++j) sum += pi_[j] * f(j);
    return sum;
  }

  void fill_o(std::map<std::string, long double>& t) const {
    const auto dev = [&](std::size_t j) { return std::fabs(v_[j] - o_); };
    const auto w = [&](std::size_t j) { return rounded() ? dev(j) : std::fabs(v_[j]); };
    const auto rho = [&](std::size_t j) { return score(keys_[j]) + shift(keys_[j]) + power(); };
    const Real phi = growth_of(top_);
    const Real z = (1 - (rounded() ? u_p() : 0)) * (1 - mean(rho)) - lost();
    Real sum_w = 0;
    Real sum_v = 0;
    for (std::size_t j = 0; j < keys_.size(); ++j) {
      sum_w += w(j);
      sum_v += std::fabs(v_[j]);
    }
    t["scores"] = phi * mean([&](std::size_t j) { return score(keys_[j]) * dev(j); }) / z;
    t["exponent"] = phi * mean([&](std::size_t j) { return shift(keys_[j]) * dev(j); }) / z;
    t["exp2"] = phi * mean([&](std::size_t j) { return power() * dev(j); }) / z;
    t["P rounding"] = u_p_in_pv() * std::exp(top_) * mean(w) / z;
    t["P underflow"] = theta() * (1 + u_p_in_pv()) * sum_w / z;
    t["lost row sum"] = std::fabs(o_) * (rounded() ? flushed() : lost()) / z;
    const Real gam =
        over_rest(lost_in_blocks(*n_.unit, tile_count(), *n_.tile_k) + (tiles() - 1) * kU);
    const bool sees_floor = *n_.unit != Unit::fp32_seq && *n_.p_format == Format::f16;
    const Real in_pv = std::exp(top_) * mean([&](std::size_t j) { return std::fabs(v_[j]); }) +
                       theta() * sum_v + (sees_floor ? 0x1p-14L * pv_unit() * sum_v : 0);
    t["PV accumulation"] =
        (gam * (1 + u_p_in_pv()) * in_pv + (live() + tiles() - 1) * eta() * pv_unit()) / z;
    Real before = 0;
    for (const auto& [name, value] : t) before += value;
    const Real raw = std::fabs(o_) + before;
    t["row sum"] = gam_l() / (1 - gam_l()) * raw;
    t["division"] = u_div() / (1 - gam_l()) * raw + eta();
    const Real all = before + t["row sum"] + t["division"];
    const bool cut = *n_.o_rounding == Rounding::toward_zero;
    const Real eta_o = *n_.o_ftz ? (*n_.o_format == Format::f16 ? 0x1p-14L : kLeast)
                                 : (cut ? 2 : 1) * half_subnormal(*n_.o_format);
    t["output rounding"] = precision_loss(*n_.o_format, cut) * (std::fabs(o_) + all) + eta_o;
  }

  void fill_lse(std::map<std::string, long double>& t) const {
    const auto part = [&](const std::function<Real(const Key&)>& f) {
      return growth_of(top_lse_) * mean([&](std::size_t j) { return f(keys_[j]); });
    };
    t["scores"] = part([&](const Key& key) { return score(key); });
    t["exponent"] = part([&](const Key& key) { return shift_lse(key); });
    t["exp2"] = part([&](const Key&) { return power(); });
    const Real grown = t["scores"] + t["exponent"] + t["exp2"];
    t["row sum"] = -std::log1p(-gam_l());
    const Real u_l = rounded() ? u_p() : 0;
    if (rounded()) t["P rounding"] = -std::log1p(-u_l);
    t["lost row sum"] = -std::log1p(-lost() * (1 + grown) / (1 - u_l));
    t["maximum"] = (is(Exponent::scaled_max) ? 2 : 1) * kU * m_off_ + 3 * eta();
    Real sum = 0;
    for (const auto& [name, value] : t) sum += value;
    const Real log_l = std::log(l_) + r_star_ + lag_ + top_lse_ + sum;
    t["log"] = n_.log->approx ? std::max(6 * kU * log_l, std::exp2(-21.41L))
                              : static_cast<Real>(n_.log->relative) * log_l;
    const Real lse = std::fabs(m_ + std::log(l_));
    t["LSE rounding"] = kU * (lse + sum + t["log"]);
    if (*n_.lse_format != Format::f32) {
      t["LSE store"] = precision_loss(*n_.lse_format) * (lse + sum + t["log"] + t["LSE rounding"]) +
                       half_subnormal(*n_.lse_format);
    }
  }

  const Problem& p_;
  const Numerics& n_;
  Real sigma_;
  std::vector<Key> keys_;
  std::vector<Real> scores_;
  std::vector<Real> v_;
  std::vector<Real> pi_;
  Key most_;
  Real m_ = 0;
  Real l_ = 0;
  Real o_ = 0;
  Real r_star_ = 0;   // how far the computed maximum may lie off
  Real lag_ = 0;      // and how far what the subject uses may stay behind it
  Real m_off_ = 0;    // its largest magnitude
  Real top_ = 0;      // largest log-error that O sees
  Real top_lse_ = 0;  // that LSE sees
};

}  // namespace

HandBudget budget_by_hand(const Problem& problem, const Inputs& inputs, const Numerics& numerics) {
  return Row(problem, inputs, numerics).terms();
}

}  // namespace attest
