#include "judge/recomputed_weight.hpp"

#include <cmath>
#include <utility>

#include "judge/known_arguments.hpp"

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends
constexpr double kSmallestNormal = 0x1p-126;
constexpr double kUnderflow = 0x1p-150;  // of an exp2 that is not flushed
constexpr float kLog2e = 1.44269504f;
// Binary64's exp2 within 2^-51, and three roundings.
constexpr double kComputing = 0x1p-50;

}  // namespace

std::optional<RecomputedWeights> RecomputedWeights::of(const Problem& problem, const Numerics& n,
                                                       const Resolved& arithmetic) {
  if (!n.exponent || !n.exp2 || !n.exp_ftz) return std::nullopt;
  if (n.scale_at != ScaleAt{} || n.ftz != false) return std::nullopt;
  if (n.s_store != ScoreStore::none && n.s_store != ScoreStore::f32) return std::nullopt;
  RecomputedWeights weights;
  weights.form_ = *n.exponent;
  weights.scale_ = problem.scale;
  weights.eps_ = arithmetic.eps;
  weights.flushed_ = *n.exp_ftz;
  if (weights.form_ == Exponent::difference_first) return weights;
  if (!n.c) return std::nullopt;
  const std::optional<float> c = declared_constant(problem.scale, *n.c);
  if (!c) return std::nullopt;
  weights.c_ = *c;
  return weights;
}

float RecomputedWeights::framed(float lse) const {
  return form_ == Exponent::difference_first ? lse : lse * kLog2e;
}

float RecomputedWeights::exponent_of(float score, float framed_lse) const {
  switch (form_) {
    case Exponent::difference_first: return (score * scale_ - framed_lse) * kLog2e;
    case Exponent::scaled_max:
    case Exponent::product_first: return score * c_ - framed_lse;
    case Exponent::fused: return std::fma(score, c_, -framed_lse);
  }
  return std::numeric_limits<float>::quiet_NaN();
}

Range32 RecomputedWeights::weight(const Range32& score, float framed_lse) const {
  const Range32 z{exponent_of(score.lo, framed_lse), exponent_of(score.hi, framed_lse)};
  if (!z.is_finite() || z.hi >= 127) return kAnything;
  const double least = std::exp2(static_cast<double>(z.lo)) * (1 - (eps_ + kComputing));
  const double most = std::exp2(static_cast<double>(z.hi)) * (1 + (eps_ + kComputing));
  if (!flushed_) return range32(std::max(0.0, least - kUnderflow), most + kUnderflow);
  if (most < kSmallestNormal) return {0, 0};
  return range32(least < kSmallestNormal ? 0 : least, most);
}

void ReplayedDots::enter(Index i, std::vector<double> computed) {
  const RowScores& row = dots_.row(i);
  row_ = i;
  first_ = row.first;
  computed_ = std::move(computed);
  // Lemma 4, the oracle's radius, and what rounds in `at`.
  relative_ = gam_of_dot(arithmetic_, length_, row.products) + dots_.relative_radius + 0x1p-50;
  absolute_ = static_cast<double>(row.products) * arithmetic_.eta;
}

Range32 ReplayedDots::at(Index j) const {
  const std::size_t n = dots_.at(row_, j);
  const double size = dots_.size[n];
  if (size == 0) return {0, 0};  // products of 0 round nothing
  const double off = size * relative_ + absolute_;
  if (!(size + off < kLargest)) return kAnything;
  if (computed_.empty()) return range32(dots_.dot[n] - off, dots_.dot[n] + off);
  const auto known = static_cast<float>(computed_[static_cast<std::size_t>(j - first_)]);
  return {known, known};
}

}  // namespace attest
