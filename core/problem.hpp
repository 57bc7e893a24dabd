// problem.hpp - what is to be computed, without the data: shapes, mask, formats, scale.
//
//   O = softmax(scale * Q K^T + mask) V,   LSE = log sum exp of a row's live scores,
//
// and for pass=bwd also dQ, dK, dV: the gradients of sum(O o dO) (+ sum(LSE o gL), glse=yes).
//
// Shapes: q [batch, heads_q, n_q, d_qk]; k [batch, heads_k, n_k, d_qk]; v [batch, heads_k, n_k,
// d_v]; o [batch, heads_q, n_q, d_v]; lse [batch, heads_q, n_q]; gradients have the shape of what
// they belong to. Query head h reads key head h / (heads_q / heads_k). Inputs, dO among them, are
// in format `in`, outputs and gradients in `out`; LSE and its gradient gL are binary32.
//
// The mask is one band. Key j is live for row i of batch entry b iff
//   i < lq(b), j < lk(b), and i + off - left <= j <= i + off + right,
// with off = 0 (align tl) or lk(b) - lq(b) (align br). This file holds the band as data only: who
// needs liveness derives it, the oracle from the definition, kernels tile by tile.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.hpp"
#include "core/tensor.hpp"

namespace attest {

enum class Align : std::uint8_t { top_left, bottom_right };
enum class Pass : std::uint8_t {
  fwd,  // O and LSE
  bwd,  // these, and then the gradients, which start from them
};

inline constexpr Index kUnlimited = std::numeric_limits<Index>::max();

struct Problem {
  Index batch = 1;
  Index heads_q = 1;
  Index heads_k = 1;
  Index n_q = 1;
  Index n_k = 1;
  Index d_qk = 1;
  Index d_v = 1;
  Format in = Format::f16;
  Format out = Format::f16;
  float scale = 1.0f;        // positive and finite; used as it is
  Index left = kUnlimited;   // band width toward smaller keys; may be negative
  Index right = kUnlimited;  // toward larger keys; may be negative
  Align align = Align::bottom_right;
  std::vector<Index> lq;  // live query rows of each batch entry; empty: n_q of each
  std::vector<Index> lk;  // live keys of each batch entry; empty: n_k of each
  Pass pass = Pass::fwd;
  bool lse_gradient = false;  // glse: is a gradient of LSE given? Needs pass = bwd

  [[nodiscard]] Index live_queries(Index b) const { return lq.empty() ? n_q : lq[b]; }
  [[nodiscard]] Index live_keys(Index b) const { return lk.empty() ? n_k : lk[b]; }

  [[nodiscard]] Extents q_extents() const { return {batch, heads_q, n_q, d_qk}; }
  [[nodiscard]] Extents k_extents() const { return {batch, heads_k, n_k, d_qk}; }
  [[nodiscard]] Extents v_extents() const { return {batch, heads_k, n_k, d_v}; }
  [[nodiscard]] Extents o_extents() const { return {batch, heads_q, n_q, d_v}; }
  [[nodiscard]] Extents lse_extents() const { return {batch, heads_q, n_q, 1}; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

// binary32(1/sqrt(d_qk)), what a problem gets when nobody chose a scale.
[[nodiscard]] float default_scale(Index d_qk);

// Empty when the problem is well formed, else one sentence naming the key and the value.
[[nodiscard]] std::string defect_of(const Problem& problem);

// "attest1:b=..;..;pass=fwd", the canonical text; parsing it gives the same problem back.
[[nodiscard]] std::string to_string(const Problem& problem);
// Throws Error (usage) with the offset of what is wrong.
[[nodiscard]] Problem parse_problem(std::string_view text);

}  // namespace attest
