#include "tests/properties/rowwise_subject.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "properties/laws/liveness.hpp"

namespace attest {
namespace {

// Wherever the view says that it lies.
double dense_value(const ConstTensorView& view, Index b, Index h, Index row, Index column) {
  const Extents dense = row_major(view.extents);
  ConstTensorView same = view;
  same.strides = dense;
  return same.value(b, h, row, column);
}

}  // namespace

Numerics RowwiseSubject::numerics(const Problem& problem, Unit) const {
  Numerics n;
  n.unit = Unit::fp32_seq;
  n.scale_at = ScaleAt{};
  n.c = ConstantRounding::once;
  n.s_store = ScoreStore::none;
  n.exponent = Exponent::difference_first;
  n.exp2 = 0x1p-24;
  n.exp_ftz = false;
  n.p_format = wrong_ == Wrong::unrounded_p ? problem.in : Format::f32;
  n.p_truncated = false;
  n.p_normalised = PNormalised::after_pv;
  n.l_from = LFrom::unrounded;
  n.l_chain = LChain{};
  n.tile_k = 16;
  n.order = TileOrder::ascending;
  n.divide = Divide::exact;
  n.o_format = problem.out;
  n.o_rounding = Rounding::nearest_even;
  n.lse_format = Format::f32;
  n.log = LogError{};
  n.ftz = false;
  n.o_ftz = false;
  n.d_source = wrong_ == Wrong::d_of_stored_o ? DSource::f32_o : DSource::stored_o;
  n.p_in_ds = PInDs::f32;
  n.ds_format = Format::f32;
  n.dq_sum =
      DqSum{wrong_ == Wrong::atomic_dq ? DqSum::Kind::atomic : DqSum::Kind::one_chain, *n.tile_k};
  n.tile_q = 16;
  n.group_sum = GroupSum{};
  return n;
}

Semantics RowwiseSubject::semantics() const {
  Semantics semantics;
  semantics.dead_o = wrong_ == Wrong::dead_nan ? DeadO::nan : DeadO::zero;
  semantics.dead_lse = DeadLse::minus_inf;
  semantics.nonfinite = wrong_ == Wrong::spreads_nan ? NonFinite::propagate : NonFinite::row_local;
  semantics.beyond_lengths =
      wrong_ == Wrong::beyond_length ? BeyondLengths::untouched : BeyondLengths::zero;
  return semantics;
}

std::vector<std::string> RowwiseSubject::configurations(const Problem&, Unit) const {
  if (wrong_ != Wrong::nothing && wrong_ != Wrong::told && wrong_ != Wrong::told_d) return {};
  return {"first", "second"};
}

RowwiseSubject RowwiseSubject::configured(const std::string& configuration) const {
  if (configuration != "second") return RowwiseSubject();
  return RowwiseSubject(wrong_ == Wrong::told     ? Wrong::temperature
                        : wrong_ == Wrong::told_d ? Wrong::d_is_off
                                                  : Wrong::nothing);
}

void RowwiseSubject::store_dead(const Problem& p, const ForwardOutputs& out,
                                const RowAt& at) const {
  const bool beyond = at.i >= p.live_queries(at.b);
  const bool nan = wrong_ == Wrong::dead_row || wrong_ == Wrong::dead_nan;
  const double value = nan && !beyond ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  for (Index k = 0; k < p.d_v; ++k) {
    out.o.set_bits(at.b, at.h, at.i, k, round_to_bits(p.out, value));
  }
  out.lse.set_bits(at.b, at.h, at.i, 0,
                   round_to_bits(Format::f32, -std::numeric_limits<double>::infinity()));
}

// What a row adds to its output although it must not: 0 times something it may not even read.
double RowwiseSubject::leak(const Problem& p, const ForwardInputs& in, const RowAt& at) const {
  const Liveness liveness(p, at.b);
  const Index key_head = at.h / (p.heads_q / p.heads_k);
  double sum = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    const double v = in.v.value(at.b, key_head, j, 0);
    if (wrong_ == Wrong::unseen_bytes && liveness.unseen(j)) sum += 0 * v;
    const bool spreads = wrong_ == Wrong::other_rows_nan || wrong_ == Wrong::spreads_nan;
    if (spreads && !liveness.live(at.i, j) && !liveness.unseen(j)) sum += 0 * v;
  }
  for (Index i = liveness.rows(); i < p.n_q && wrong_ == Wrong::unseen_queries; ++i) {
    sum += 0 * in.q.value(at.b, at.h, i, 0);
  }
  return sum;
}

void RowwiseSubject::attend(const Problem& p, const ForwardInputs& in, const ForwardOutputs& out,
                            const RowAt& at) const {
  const Liveness liveness(p, at.b);
  const Index key_head = at.h / (p.heads_q / p.heads_k);
  std::vector<double> score(static_cast<std::size_t>(p.n_k));
  double m = -std::numeric_limits<double>::infinity();
  std::uint64_t foreign = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    if (!liveness.live(at.i, j)) {
      if (!liveness.unseen(j)) foreign ^= in.k.bits(at.b, key_head, j, 0);
      continue;
    }
    double dot = 0;
    for (Index c = 0; c < p.d_qk; ++c) {
      const double q = wrong_ == Wrong::dense_q ? dense_value(in.q, at.b, at.h, at.i, c)
                                                : in.q.value(at.b, at.h, at.i, c);
      dot += q * in.k.value(at.b, key_head, j, c);
    }
    score[j] = p.scale * dot;
    m = std::max(m, score[j]);
  }
  const double width = wrong_ == Wrong::temperature ? 1.05 : 1.0;
  double l = 0;
  std::vector<double> o(static_cast<std::size_t>(p.d_v));
  bool all_ones = true;
  for (Index j = 0; j < p.n_k; ++j) {
    if (!liveness.live(at.i, j)) continue;
    const double weight = std::exp(width * (score[j] - m));
    l += weight;
    for (Index k = 0; k < p.d_v; ++k) {
      const double v = in.v.value(at.b, key_head, j, k);
      o[k] += weight * v;
      all_ones = all_ones && v == 1;
    }
  }
  const double extra = leak(p, in, at);
  for (Index k = 0; k < p.d_v; ++k) {
    double value = o[k] / l + extra;
    if (wrong_ == Wrong::sum_of_ones && all_ones) value += 0.125;
    if (wrong_ == Wrong::lonely_key && p.left == 0 && p.right == 0) value = value * 1.25 + 0.25;
    const bool few = wrong_ == Wrong::few_rows && p.n_q < 3;
    const bool long_buffer = wrong_ == Wrong::long_buffer && p.n_k > 30;
    const bool large_heads = wrong_ == Wrong::large_heads && p.d_qk > 256;
    if (few || long_buffer || large_heads) value += 1;
    const std::uint64_t one = round_to_bits(p.out, 1);
    if (wrong_ == Wrong::keeps_ones && out.o.bits(at.b, at.h, at.i, k) == one) continue;
    out.o.set_bits(at.b, at.h, at.i, k, round_to_bits(p.out, value));
  }
  std::uint64_t lse = round_to_bits(Format::f32, m + std::log(l));
  if (wrong_ == Wrong::other_rows_key) lse ^= std::popcount(foreign) & 1;
  const bool others = at.b > 0 || at.h > 0;
  if (wrong_ == Wrong::neighbour_head && others) lse ^= std::popcount(in.q.bits(0, 0, 0, 0)) & 1;
  out.lse.set_bits(at.b, at.h, at.i, 0, lse);
}

float RowwiseSubject::scale_of(const Problem& p, Wrong wrong) const {
  if (wrong_ != wrong || p.d_qk > 256) return p.scale;
  float none = 0;
  return scale_.compare_exchange_strong(none, p.scale) ? p.scale : none;
}

RunOutcome RowwiseSubject::run(const Problem& problem, const ForwardInputs& in,
                               const ForwardOutputs& out, const RunSettings& settings) const {
  if (!settings.configuration.empty()) {
    return configured(settings.configuration).run(problem, in, out, {settings.unit});
  }
  Problem p = problem;
  p.scale = scale_of(problem, Wrong::first_scale);
  if (wrong_ == Wrong::crash_on_ones && p.n_k > 0 && in.v.value(0, 0, 0, 0) == 1) {
    return {RunOutcome::Kind::crashed, "signal 11"};
  }
  for (Index b = 0; b < p.batch; ++b) {
    const Liveness liveness(p, b);
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.n_q; ++i) {
        const bool dead = i >= liveness.rows() || liveness.dead_row(i);
        dead ? store_dead(p, out, {b, h, i}) : attend(p, in, out, {b, h, i});
      }
    }
  }
  return {};
}

}  // namespace attest
