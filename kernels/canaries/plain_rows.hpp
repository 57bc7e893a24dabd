// plain_rows.hpp - one query row of attention at a time, by online softmax over key tiles.
//
// The smallest kernel that has the anatomy of a real one: a row of scores is never held beyond one
// tile of keys. Each tile may raise the row's maximum m; what the row has gathered so far, the sum
// of weights l and the sum of weighted values acc, is then rescaled by alpha = exp(m_old - m_new).
// Where keys are split, each part is such a row of its own, and merge.hpp makes one of them.
//
// Slots of a tile that are not live for the row (masked, or past the last key) have score -inf,
// hence weight 0, and their K and V take no part, not even times 0: no NaN there reaches the row.
// Shares nothing with oracle or judge; the mask is an interval per row, clipped to each tile.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/contract.hpp"
#include "core/subject.hpp"
#include "kernels/canaries/merge.hpp"
#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"
#include "kernels/canaries/plain_config.hpp"
#include "kernels/canaries/stored_rows.hpp"

namespace attest {

// Keys begin <= j < end.
struct KeyInterval {
  Index begin;
  Index end;
  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] bool holds(Index j) const { return begin <= j && j < end; }
  [[nodiscard]] KeyInterval clipped(Index first, Index last) const {
    return {std::max(first, begin), std::min(last, end)};
  }
};

template <class Fault>
class PlainRows {
 public:
  PlainRows(const Problem& problem, const ForwardInputs& inputs, const PlainConfig& config)
      : p_(problem),
        in_(inputs),
        config_(config),
        p_format_(p_format_of(config, problem)),
        exponent_(exponent_of(problem, config)),
        q_(as_size(p_.d_qk)),
        k_(as_size(padded_keys() * p_.d_qk)),
        v_(as_size(padded_keys() * p_.d_v)),
        x_(as_size(config.tile_k)),
        state_{kMinusInfinity, 0, std::vector<float>(as_size(p_.d_v))},
        row_{std::vector<float>(as_size(p_.d_v))} {
    ATTEST_EXPECTS(config.tile_k >= 1);
    ATTEST_EXPECTS(!config.part_k || (*config.part_k >= 1 && *config.part_k % config.tile_k == 0));
    if (!config.part_k) return;
    const Index parts = (p_.n_k + *config.part_k - 1) / *config.part_k;
    parts_.resize(as_size(std::max(parts, config.least_parts)), row_);
  }

  // The keys and values that the rows after this see.
  void load_keys(Index b, Index h) {
    const Index rows = Fault::kReadsDeadV ? p_.n_k : p_.live_keys(b);
    load_rows(in_.k, b, h, 0, p_.live_keys(b), k_);
    load_rows(in_.v, b, h, 0, rows, v_, Fault::v_address);
  }

  [[nodiscard]] const float* key(Index j) const { return k_.data() + j * p_.d_qk; }
  [[nodiscard]] const float* value(Index j) const { return v_.data() + j * p_.d_v; }
  [[nodiscard]] const ExponentForm& exponent() const { return exponent_; }

  // The keys that a row sees, as one interval. Widths are clamped far outside every shape and far
  // inside Index, so that no sum overflows.
  [[nodiscard]] KeyInterval live_keys(const Fault& fault, const RowAt& at) const {
    constexpr Index kFar = Index{1} << 40;
    const Index middle = at.i + fault.band_offset(p_, at.b);
    const Index limit = fault.key_limit(p_.live_keys(at.b), config_.tile_k);
    const Band band = fault.band(p_);
    const Index begin = std::max(Index{0}, middle - std::clamp(band.left, -kFar, kFar));
    const Index end = std::min(limit, middle + std::clamp(band.right, -kFar, kFar) + 1);
    return {begin, fault.row_end(p_, at, begin, end)};
  }

  // The unscaled score of a widened query row and key j.
  [[nodiscard]] float score(const Fault& fault, const float* q, Index j) const {
    const float* k = key(j);
    float sum = 0;
    for (Index c = 0; c < p_.d_qk; ++c) sum = fault.dot_sum(std::fma(q[c], k[c], sum));
    return fault.score(sum);
  }

  // Computes a row below lq; false if it is dead. row() then holds O and LSE in binary32.
  [[nodiscard]] bool attend(const RowAt& at) {
    load_rows(in_.q, at.b, at.h, at.i, 1, q_);
    const KeyInterval live = live_keys(Fault{}, at);
    if (!config_.part_k) return attend_part(live, 0, p_.n_k, row_);
    const auto parts = static_cast<Index>(parts_.size());
    const Index part_k = Fault::part_k(*config_.part_k, p_.n_k, config_.tile_k, parts);
    Index begin = 0;
    for (Part& part : parts_) {
      const Index end = std::min(begin + part_k, p_.n_k);
      if (attend_part(live, begin, end, part)) {
        for (float& o : part.o) o = round_to_narrow(part_format_of(config_, p_), o);
      } else if (Fault::kMarksEmptyParts) {
        part.o.assign(part.o.size(), 0.0f);
        part.lse = kMinusInfinity;
      }
      begin = end;
    }
    return merge_parts(Fault{}, parts_, config_.combine, config_.exp_ftz, row_);
  }
  [[nodiscard]] const Part& row() const { return row_; }

 private:
  static ExponentForm exponent_of(const Problem& problem, const PlainConfig& config) {
    const float scale = Fault{}.scale(problem);
    const double c = static_cast<double>(scale) * std::numbers::log2e;
    return {Fault{}.exponent(config.exponent), scale, Fault{}.constant(static_cast<float>(c))};
  }

  [[nodiscard]] Index padded_keys() const {
    return (p_.n_k + config_.tile_k - 1) / config_.tile_k * config_.tile_k;
  }

  // Over the keys from `begin` to `end`, which begin and end with tiles.
  bool attend_part(KeyInterval live, Index begin, Index end, Part& part) {
    Fault fault;
    state_.m = fault.initial_max();
    state_.l = 0;
    std::fill(state_.acc.begin(), state_.acc.end(), 0.0f);

    const Index tiles = (end - begin + config_.tile_k - 1) / config_.tile_k;
    for (Index n = 0; n < tiles; ++n) {
      const Index turn = config_.last_tile_first ? tiles - 1 - n : n;
      const Index first = begin + turn * config_.tile_k;
      const KeyInterval tile = live.clipped(first, first + config_.tile_k);
      if (Fault::kSkipsDeadTiles && tile.empty()) {
        fault.dead_tile(state_);
        continue;
      }
      fault.enter_tile(state_);
      const float risen = score_tile(fault, first, tile);
      const float m = fault.kept_max(state_.m, due_max(risen), exponent_.c);
      const float alpha = fault.rescale_factor(exp2(fault, exponent_.of_rescale(state_.m, m)));
      state_.m = m;
      weigh_tile(fault, alpha, fault.weight_frame(m, risen));
      accumulate_tile(fault, first, tile, alpha);
    }

    if (fault.is_dead(state_.l)) return false;
    for (Index column = 0; column < p_.d_v; ++column) {
      const float acc = state_.acc[as_size(column)];
      part.o[as_size(column)] = fault.quotient(acc, state_.l, column);
    }
    const auto log_l = static_cast<float>(std::log(static_cast<double>(state_.l)));
    part.lse = exponent_.unframed(state_.m) + log_l;
    return true;
  }

  // S = Q K^T of one tile into x_. Returns the maximum with this tile in it; a NaN never is one,
  // but its weight will be. A slot past the loaded keys scores 0, as zero padding does; only a
  // faulty mask lets it in.
  float score_tile(const Fault& fault, Index first, KeyInterval tile) {
    float m = state_.m;
    for (Index slot = 0; slot < config_.tile_k; ++slot) {
      const Index j = first + slot;
      float x = fault.masked_score();
      if (tile.holds(j)) x = score(fault, q_.data(), j);
      x = exponent_.framed(x);
      x_[as_size(slot)] = x;
      if (x > m) m = x;
    }
    return m;
  }

  // Less than the lag above the maximum in use is not worth a rescale.
  [[nodiscard]] float due_max(float risen) const {
    const bool waits = config_.lag > 0 && -exponent_.of_rescale(state_.m, risen) <= config_.lag;
    return waits ? state_.m : risen;
  }

  // P = exp(S - m): l gathers it, x_ holds it rounded for P V.
  void weigh_tile(const Fault& fault, float alpha, float m) {
    float l = state_.l * alpha;
    for (float& x : x_) {
      const float p = exp2(fault, exponent_.of_weight(x, m));
      x = fault.weight(fault.store_p(p_format_, p));
      l += config_.l_from == LFrom::rounded ? x : p;
    }
    state_.l = fault.row_sum(l);
  }

  // acc = acc * alpha + P V, skipping the slots without a live key.
  void accumulate_tile(const Fault& fault, Index first, KeyInterval tile, float alpha) {
    for (float& acc : state_.acc) acc = fault.accumulator(acc * alpha);
    if (Fault::kReadsDeadV) tile = {first, first + config_.tile_k};
    for (Index j = tile.begin; j < tile.end; ++j) {
      const float p = x_[as_size(j - first)];
      const float* v = value(j);
      for (Index column = 0; column < p_.d_v; ++column) {
        float& acc = state_.acc[as_size(column)];
        acc = fault.accumulator(std::fma(p, v[column], acc));
      }
    }
  }

  float exp2(const Fault& fault, float z) const { return exp2_of(fault, z, config_.exp_ftz); }

  const Problem& p_;
  const ForwardInputs in_;
  const PlainConfig& config_;
  Format p_format_;
  ExponentForm exponent_;
  std::vector<float> q_;  // one row
  std::vector<float> k_;  // one head, widened, up to the end of its last tile
  std::vector<float> v_;  // likewise
  std::vector<float> x_;  // one tile of scores, then of weights
  RowState state_;
  Part row_;
  std::vector<Part> parts_;
};

}  // namespace attest
