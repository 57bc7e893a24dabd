// plain_backward.hpp - gradients by tiles of keys, scalar and in binary32, from the stored LSE.
//
// The anatomy of a real backward. A first pass leaves one number a row, D_i = sum_k dO_ik O_ik -
// gL_i. Then each tile of keys gathers its dK and dV over the rows of all query heads that share
// it, while every row's dQ gathers over the tiles. P is computed again from the LSE that the
// forward stored: P = exp(s - LSE), dP = dO V^T, dS = P o (dP - D), dV = P^T dO, dK = scale dS^T Q,
// dQ = scale dS K, the scale applied once at the end. Nothing as large as the scores is stored.
//
// A pair that is not live takes no part, and a dead row's LSE, O, dO and Q are never used, so no
// NaN there gets anywhere. The declaration is numerics_of (plain_config.hpp); where D comes from
// P dP it sums the unrounded P.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/canaries/plain_rows.hpp"

namespace attest {

template <class Fault>
class PlainBackward {
 public:
  PlainBackward(const Problem& problem, const BackwardInputs& inputs,
                const BackwardOutputs& outputs, const PlainConfig& config,
                std::uint64_t schedule_seed)
      : p_(problem),
        in_(inputs),
        out_(outputs),
        config_(config),
        schedule_seed_(schedule_seed),
        p_format_(p_format_of(config, problem)),
        ds_format_(ds_format_of(config, problem)),
        dq_pitch_((p_.d_qk + kPadding - 1) / kPadding * kPadding),
        rows_(problem, {inputs.q, inputs.k, inputs.v}, config),
        dk_(as_size(config.tile_k * p_.d_qk)),
        dv_(as_size(config.tile_k * p_.d_v)),
        tile_dq_(as_size(p_.d_qk)) {
    ATTEST_EXPECTS(config.tile_q >= 1);
    ATTEST_EXPECTS(config.dq_sum != DqSum::Kind::atomic);
  }

  void run() {
    const Index tiles = (p_.n_k + config_.tile_k - 1) / config_.tile_k;
    for (Index b = 0; b < p_.batch; ++b) {
      if (fault_.ends_at(p_, b)) return;
      d_.assign(as_size(p_.heads_q * p_.n_q), 0.0f);
      for (Index key_head = 0; key_head < p_.heads_k; ++key_head) {
        rows_.load_keys(b, key_head);
        group_.clear();
        for (Index h = 0; h < p_.heads_q; ++h) {
          if (fault_.key_head(p_, h) == key_head) group_.push_back(prepared(b, h));
        }
        for (Index n = 0; n < tiles; ++n) {
          const Index first = fault_.tile_in_turn(p_, n, tiles, schedule_seed_) * config_.tile_k;
          gather_tile(b, first);
          store_tile(b, key_head, first);
        }
        for (const Head& head : group_) store_dq(b, head);
      }
    }
  }

 private:
  static constexpr Index kPadding = 8;  // columns of the dQ accumulator come in eights

  // A query head: its rows widened, its row constants, and its dQ, all O(n_q d).
  struct Head {
    Index h;
    std::vector<float> q;
    std::vector<float> dout;
    std::vector<float> lse;
    std::vector<float> dq;  // [n_q][dq_pitch_]
  };

  struct PairGradient {
    float p;   // rounded, for dV
    float ds;  // rounded, for dQ and dK
  };

  // D preprocess.
  Head prepared(Index b, Index h) {
    const Index n_q = p_.n_q;
    Head head{h, std::vector<float>(as_size(n_q * p_.d_qk)),
              std::vector<float>(as_size(n_q * p_.d_v)), std::vector<float>(as_size(n_q)),
              std::vector<float>(as_size(n_q * dq_pitch_))};
    load_rows(in_.q, b, h, 0, p_.live_queries(b), head.q);
    load_rows(in_.dout, b, h, 0, p_.live_queries(b), head.dout, fault_.dout_address);
    for (Index i = 0; i < p_.live_queries(b); ++i) {
      const KeyInterval live = rows_.live_keys(fault_, {b, h, i});
      if (live.empty()) continue;
      head.lse[as_size(i)] = load_element(in_.lse, b, h, i);
      float d = row_dot(b, head, i, live);
      if (in_.glse) d = fault_.d_less_gl(d, load_element(*in_.glse, b, h, i));
      d_[as_size(h * n_q + i)] = fault_.kept_d(d);
    }
    return head;
  }

  float row_dot(Index b, const Head& head, Index i, KeyInterval live) {
    float d = 0;
    const DSource source = fault_.source_of_d(config_.d_source);
    if (source == DSource::p_dp) {
      for (Index j = live.begin; j < live.end; ++j) {
        d = std::fma(probability(head, i, j), dp(head, i, j), d);
      }
      return d;
    }
    const bool again = source == DSource::f32_o && rows_.attend({b, head.h, i});
    const float* dout = head.dout.data() + i * p_.d_v;
    for (Index k = 0; k < p_.d_v; ++k) {
      const float o = again ? rows_.row().o[as_size(k)] : load_element(in_.o, b, head.h, i, k);
      d = std::fma(dout[k], o, d);
    }
    return d;
  }

  float probability(const Head& head, Index i, Index j) const {
    const float x = rows_.score(fault_, head.q.data() + i * p_.d_qk, j);
    const float z = rows_.exponent().of_probability(x, head.lse[as_size(i)]);
    return exp2_of(fault_, z, config_.exp_ftz);
  }

  float dp(const Head& head, Index i, Index j) const {
    const float* dout = head.dout.data() + i * p_.d_v;
    const float* v = rows_.value(j);
    float sum = 0;
    for (Index k = 0; k < fault_.dp_columns(p_); ++k) sum = std::fma(dout[k], v[k], sum);
    return sum;
  }

  PairGradient pair(const Head& head, Index i, Index j) const {
    const float p = probability(head, i, j);
    const float rounded = round_to_narrow(p_format_, p);
    const float factor = config_.p_in_ds == PInDs::rounded ? rounded : p;
    const float d = d_[as_size(fault_.d_place(p_, head.h, i))];
    const float ds = factor * (dp(head, i, j) - d);
    return {rounded, fault_.stored_ds(ds_format_, ds)};
  }

  // dK and dV of one tile of keys, unscaled where one chain runs over the group; and its share of
  // every row's dQ.
  void gather_tile(Index b, Index first) {
    std::fill(dk_.begin(), dk_.end(), 0.0f);
    std::fill(dv_.begin(), dv_.end(), 0.0f);
    dk_sum_.assign(dk_.size(), 0.0f);
    dv_sum_.assign(dv_.size(), 0.0f);
    for (std::size_t n = 0; n < group_.size(); ++n) {
      fault_.enter_head(dk_);
      for (Index first_q = 0; first_q < p_.live_queries(b); first_q += config_.tile_q) {
        const Index end_q = std::min(first_q + config_.tile_q, p_.live_queries(b));
        for (Index i = first_q; i < end_q; ++i) gather_row(b, n, i, first);
      }
      if (!config_.head_gradient) continue;
      move_rounded(dk_, p_.scale, dk_sum_);
      move_rounded(dv_, 1, dv_sum_);
    }
  }

  // The head's own gradient, in the format that it is stored in, joins the group's.
  void move_rounded(std::vector<float>& head, float scale, std::vector<float>& sum) const {
    for (std::size_t n = 0; n < head.size(); ++n) {
      sum[n] += round_to_narrow(*config_.head_gradient, head[n] * scale);
      head[n] = 0;
    }
  }

  // Of the n-th head of the group.
  void gather_row(Index b, std::size_t n, Index i, Index first) {
    Head& head = group_[n];
    const Index tile_end = first + config_.tile_k;
    KeyInterval tile = rows_.live_keys(fault_, {b, head.h, i}).clipped(first, tile_end);
    if (tile.empty()) return;
    tile.end = fault_.slots_end(tile.end, p_.live_keys(b), tile_end);
    float* const dq = head.dq.data() + i * dq_pitch_;
    const bool apart = config_.dq_sum == DqSum::Kind::ordered;
    if (Fault::kClearsTileDq) std::fill(tile_dq_.begin(), tile_dq_.end(), 0.0f);
    float* const sum = apart ? tile_dq_.data() : dq;
    const bool adds = fault_.adds_to_dq(first / config_.tile_k);
    for (Index j = tile.begin; j < tile.end; ++j) {
      const PairGradient g = pair(head, i, j);
      if (fault_.joins_group(n)) {
        add(g.p, head.dout.data() + i * p_.d_v, p_.d_v, dv_.data() + (j - first) * p_.d_v);
        add(g.ds, head.q.data() + i * p_.d_qk, p_.d_qk, dk_.data() + (j - first) * p_.d_qk);
      }
      if (adds) add(g.ds, rows_.key(j), p_.d_qk, sum);
    }
    for (Index c = 0; c < p_.d_qk && apart; ++c) dq[c] = fault_.gradient_sum(dq[c] + sum[c]);
  }

  // sum += factor * row
  void add(float factor, const float* row, Index columns, float* sum) const {
    for (Index c = 0; c < columns; ++c) {
      sum[c] = fault_.gradient_sum(std::fma(factor, row[c], sum[c]));
    }
  }

  // Keys beyond the length get zeros.
  void store_tile(Index b, Index h, Index first) const {
    const bool summed = config_.head_gradient.has_value();
    for (Index j = first; j < std::min(first + config_.tile_k, p_.n_k); ++j) {
      if (j >= p_.live_keys(b)) {
        if (!Fault::kClearsUnseenKeys) continue;
        clear_row(out_.dk, b, h, j);
        clear_row(out_.dv, b, h, j);
        continue;
      }
      const float* dk = (summed ? dk_sum_ : dk_).data() + (j - first) * p_.d_qk;
      const float* dv = (summed ? dv_sum_ : dv_).data() + (j - first) * p_.d_v;
      store_row(out_.dk, b, h, j, dk, summed ? 1 : p_.scale);
      store_row(out_.dv, b, h, j, dv);
    }
  }

  // Dead rows and rows beyond the length have gathered nothing.
  void store_dq(Index b, const Head& head) const {
    const Index pitch = fault_.dq_read_pitch(dq_pitch_, p_.d_qk);
    for (Index i = 0; i < p_.n_q; ++i) {
      store_row(out_.dq, b, head.h, i, head.dq.data() + i * pitch, p_.scale);
    }
  }

  const Problem& p_;
  const BackwardInputs& in_;
  const BackwardOutputs& out_;
  const PlainConfig& config_;
  std::uint64_t schedule_seed_;
  Format p_format_;
  Format ds_format_;
  Index dq_pitch_;
  const Fault fault_{};
  PlainRows<Fault> rows_;
  std::vector<float> d_;  // of every query head of an entry
  std::vector<Head> group_;
  std::vector<float> dk_;       // one tile of keys
  std::vector<float> dv_;       // likewise
  std::vector<float> dk_sum_;   // likewise, of heads that were rounded apart
  std::vector<float> dv_sum_;   // likewise
  std::vector<float> tile_dq_;  // one row's share from one tile
};

// Computes dQ, dK and dV of the whole problem.
// Requires: as run_plain; O in problem.out, LSE and gL in f32, dO in problem.in.
template <class Fault>
void run_plain_backward(const Problem& problem, const BackwardInputs& inputs,
                        const BackwardOutputs& outputs, const PlainConfig& config,
                        std::uint64_t schedule_seed = 0) {
  PlainBackward<Fault>(problem, inputs, outputs, config, schedule_seed).run();
}

}  // namespace attest
