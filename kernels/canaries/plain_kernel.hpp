// plain_kernel.hpp - attention by online softmax over key tiles, scalar and in binary32.
//
// The smallest kernel that has the anatomy of a real one: a row of scores is never held beyond one
// tile of keys. Each tile may raise the row's maximum m; what the row has gathered so far, the sum
// of weights l and the sum of weighted values acc, is then rescaled by alpha = exp(m_old - m_new).
// With Fault = NoFault it is the bundled subject `plain`; a fault replaces one decision.
//
// Slots of a tile that are not live for the row (masked, or past the last key) have score -inf,
// hence weight 0, and their K and V take no part, not even times 0: no NaN there reaches the row.
// Shares nothing with oracle or judge; the mask is an interval per row, clipped to each tile.
// The declaration of the arithmetic is numerics_of (plain_config.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/contract.hpp"
#include "core/subject.hpp"
#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"
#include "kernels/canaries/plain_config.hpp"

namespace attest {

// How exponents of two come from scores. m is a maximum of framed scores.
struct ExponentForm {
  Exponent form;
  float c;  // scale * log2(e)

  [[nodiscard]] float framed(float x) const { return form == Exponent::scaled_max ? x * c : x; }

  [[nodiscard]] float of_weight(float s, float m) const {
    switch (form) {
      case Exponent::difference_first: return (s - m) * c;
      case Exponent::scaled_max: return s - m;
      case Exponent::product_first: return s * c - m * c;
      case Exponent::fused: return std::fma(s, c, -(m * c));
    }
    contract_broken("an exponent form that exists", __FILE__, __LINE__);
  }

  [[nodiscard]] float of_rescale(float m_old, float m_new) const {
    return form == Exponent::scaled_max ? m_old - m_new : (m_old - m_new) * c;
  }

  // m as a scaled score in natural units, for the LSE.
  [[nodiscard]] float unframed(float m, float scale) const {
    return form == Exponent::scaled_max ? m * std::numbers::ln2_v<float> : scale * m;
  }
};

template <class Fault>
class PlainKernel {
 public:
  PlainKernel(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
              const PlainConfig& config)
      : p_(problem),
        in_(inputs),
        out_(outputs),
        config_(config),
        p_format_(p_format_of(config, problem)),
        exponent_{config.exponent, Fault{}.constant(static_cast<float>(
                                       static_cast<double>(problem.scale) * std::numbers::log2e))},
        q_(size(p_.d_qk)),
        k_(size(p_.n_k * p_.d_qk)),
        v_(size(p_.n_k * p_.d_v)),
        x_(size(config.tile_k)),
        row_{kMinusInfinity, 0, std::vector<float>(size(p_.d_v))} {}

  void run() {
    for (Index b = 0; b < p_.batch; ++b) {
      Index loaded = -1;  // query heads of one group share their keys
      for (Index h = 0; h < p_.heads_q; ++h) {
        const Index key_head = Fault{}.key_head(p_, h);
        if (key_head != loaded) load_keys(b, key_head);
        loaded = key_head;
        for (Index i = 0; i < p_.n_q; ++i) {
          const RowAt at{b, h, i};
          i < p_.live_queries(b) ? attend(at) : store_dead(at);
        }
      }
    }
  }

 private:
  struct Interval {
    Index begin;
    Index end;
    [[nodiscard]] bool empty() const { return begin >= end; }
    [[nodiscard]] bool holds(Index j) const { return begin <= j && j < end; }
  };

  static std::size_t size(Index n) { return static_cast<std::size_t>(n); }

  // Keys past the length stay zero, as a kernel's guarded tile load leaves them.
  void load_keys(Index b, Index h) {
    const Index rows = Fault::kReadsDeadV ? p_.n_k : p_.live_keys(b);
    load(in_.k, b, h, 0, p_.live_keys(b), k_);
    load(in_.v, b, h, 0, rows, v_);
  }

  void load(const ConstTensorView& from, Index b, Index h, Index first, Index rows,
            std::vector<float>& to) {
    auto next = to.begin();
    for (Index row = first; row < first + rows; ++row) {
      for (Index column = 0; column < from.extents[3]; ++column) {
        *next++ = widen_stored(from.format, from.bits(b, h, row, column));
      }
    }
    std::fill(next, to.end(), 0.0f);
  }

  // The keys that row `at` sees, as one interval. Widths are clamped far outside every shape and
  // far inside Index, so that no sum overflows.
  Interval live_keys(const Fault& fault, const RowAt& at) const {
    constexpr Index kFar = Index{1} << 40;
    const Index middle = at.i + fault.band_offset(p_, at.b);
    const Index limit = fault.key_limit(p_.live_keys(at.b), config_.tile_k);
    const Index begin = std::max(Index{0}, middle - std::clamp(p_.left, -kFar, kFar));
    const Index end = std::min(limit, middle + std::clamp(p_.right, -kFar, kFar) + 1);
    return {begin, fault.row_end(at, begin, end)};
  }

  void attend(const RowAt& at) {
    Fault fault;
    load(in_.q, at.b, at.h, at.i, 1, q_);
    row_.m = fault.initial_max();
    row_.l = 0;
    std::fill(row_.acc.begin(), row_.acc.end(), 0.0f);
    const Interval live = live_keys(fault, at);

    for (Index first = 0; first < p_.n_k; first += config_.tile_k) {
      const Interval tile{std::max(first, live.begin), std::min(first + config_.tile_k, live.end)};
      if (tile.empty()) {
        fault.dead_tile(row_);
        continue;
      }
      fault.enter_tile(row_);
      const float m = score_tile(fault, first, tile, p_.live_keys(at.b));
      const float alpha = exp2(fault, exponent_.of_rescale(row_.m, m));
      row_.m = m;
      weigh_tile(fault, alpha);
      accumulate_tile(fault, first, tile, alpha);
    }

    fault.is_dead(row_.l) ? store_dead(at) : store(fault, at);
  }

  // S = Q K^T of one tile into x_. Returns the maximum with this tile in it; a NaN never is one,
  // but its weight will be. A slot past the loaded keys scores 0, as zero padding does; only a
  // faulty mask lets it in.
  float score_tile(const Fault& fault, Index first, Interval tile, Index loaded) {
    float m = row_.m;
    for (Index slot = 0; slot < config_.tile_k; ++slot) {
      const Index j = first + slot;
      float x = fault.masked_score();
      if (tile.holds(j)) x = j < loaded ? fault.score(dot(fault, j)) : 0.0f;
      x = exponent_.framed(x);
      x_[size(slot)] = x;
      if (x > m) m = x;
    }
    return m;
  }

  float dot(const Fault& fault, Index j) const {
    const float* k = k_.data() + j * p_.d_qk;
    float sum = 0;
    for (Index c = 0; c < p_.d_qk; ++c) sum = fault.dot_sum(std::fma(q_[size(c)], k[c], sum));
    return sum;
  }

  // P = exp(S - m): l gathers it, x_ holds it rounded for P V.
  void weigh_tile(const Fault& fault, float alpha) {
    float l = row_.l * alpha;
    for (float& x : x_) {
      const float p = exp2(fault, exponent_.of_weight(x, row_.m));
      x = fault.weight(round_to_narrow(p_format_, p));
      l += config_.l_from == LFrom::rounded ? x : p;
    }
    row_.l = fault.row_sum(l);
  }

  // acc = acc * alpha + P V, skipping the slots without a live key.
  void accumulate_tile(const Fault& fault, Index first, Interval tile, float alpha) {
    for (float& acc : row_.acc) acc = fault.accumulator(acc * alpha);
    if (Fault::kReadsDeadV) tile = {first, first + config_.tile_k};
    for (Index j = tile.begin; j < std::min(tile.end, p_.n_k); ++j) {
      const float p = x_[size(j - first)];
      const float* v = v_.data() + j * p_.d_v;
      for (Index column = 0; column < p_.d_v; ++column) {
        float& acc = row_.acc[size(column)];
        acc = fault.accumulator(std::fma(p, v[column], acc));
      }
    }
  }

  float exp2(const Fault& fault, float z) const {
    const float p = fault.exp2(z);
    return config_.exp_ftz && p < std::numeric_limits<float>::min() ? 0.0f : p;
  }

  void store(const Fault& fault, const RowAt& at) {
    for (Index column = 0; column < p_.d_v; ++column) {
      const float o = fault.quotient(row_.acc[size(column)], row_.l, column);
      out_.o.set_bits(at.b, at.h, at.i, column, round_to_stored(p_.out, o));
    }
    const auto log_l = static_cast<float>(std::log(static_cast<double>(row_.l)));
    store_lse(at, fault.lse(exponent_.unframed(row_.m, p_.scale) + log_l));
  }

  void store_dead(const RowAt& at) {
    for (Index column = 0; column < p_.d_v; ++column) {
      out_.o.set_bits(at.b, at.h, at.i, column, 0);
    }
    store_lse(at, kMinusInfinity);
  }

  void store_lse(const RowAt& at, float lse) {
    out_.lse.set_bits(at.b, at.h, at.i, 0, round_to_stored(Format::f32, lse));
  }

  const Problem& p_;
  const ForwardInputs& in_;
  const ForwardOutputs& out_;
  const PlainConfig& config_;
  Format p_format_;
  ExponentForm exponent_;
  std::vector<float> q_;  // one row
  std::vector<float> k_;  // one head, widened
  std::vector<float> v_;  // likewise
  std::vector<float> x_;  // one tile of scores, then of weights
  RowState row_;
};

// Computes O and LSE of the whole problem.
// Requires: inputs in f32, f16 or bf16, O in one of them, LSE in f32; config.tile_k >= 1.
template <class Fault>
void run_plain(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
               const PlainConfig& config) {
  ATTEST_EXPECTS(config.tile_k >= 1);
  PlainKernel<Fault>(problem, inputs, outputs, config).run();
}

}  // namespace attest
