// no_fault.hpp - the decisions of the plain kernel, one function each.
//
// NoFault takes every one of them rightly. A fault derives from it and replaces one (or the few
// that one defect of a real kernel touches at once), so a fault's file shows the defect and nothing
// else. The kernel makes a fresh fault object for each row; a fault may keep what it needs in it.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "core/tensor.hpp"
#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_backward_fault.hpp"

namespace attest {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// A query row's place.
struct RowAt {
  Index b;
  Index h;
  Index i;
};

// How far a row's keys reach from the middle of its band.
struct Band {
  Index left;
  Index right;
};

// What online softmax carries from tile to tile: weights are exp(s - m) in both sums.
struct RowState {
  float m;                 // running maximum of the scores
  float l;                 // running sum of weights
  std::vector<float> acc;  // running sum of weight * v, per column
};

struct NoFault : NoBackwardFault {
  // What a canary of this fault needs (canary.hpp).
  static constexpr Pass kPass = Pass::fwd;
  static constexpr std::string_view kClasses = "";
  static constexpr std::string_view kControl = "canary/none";
  static constexpr bool kOffersConfigurations =
      false;  // those of the plain form (plain_config.hpp)

  // Which keys a row sees.
  static Index key_head(const Problem& p, Index h) { return h / (p.heads_q / p.heads_k); }
  static Index band_offset(const Problem& p, Index b) {
    return p.align == Align::top_left ? 0 : p.live_keys(b) - p.live_queries(b);
  }
  static Band band(const Problem& p) { return {p.left, p.right}; }
  static Index key_limit(Index live_keys, Index /*tile_k*/) { return live_keys; }
  static Index row_end(const Problem&, const RowAt&, Index /*begin*/, Index end) { return end; }
  static constexpr bool kSkipsDeadTiles = true;
  static constexpr bool kReadsDeadV = false;  // dead slots of a live tile load V, at weight 0
  // Where an element of V lies.
  static const std::byte* v_address(const ConstTensorView& v, Index b, Index h, Index j,
                                    Index column) {
    return v.at(b, h, j, column);
  }

  // Scores.
  static float scale(const Problem& p) { return p.scale; }
  static Exponent exponent(Exponent declared) { return declared; }
  static float constant(float c) { return c; }     // scale * log2(e)
  static float dot_sum(float sum) { return sum; }  // after each multiply-add
  static float score(float x) { return x; }        // after the last one
  static float masked_score() { return kMinusInfinity; }
  static float initial_max() { return kMinusInfinity; }

  // Tiles.
  static void dead_tile(RowState&) {}   // instead of a tile without a live key
  static void enter_tile(RowState&) {}  // before any other
  // What m becomes when a tile raises it to `risen`; c turns a score into an exponent of two. And
  // the maximum that this tile's weights are relative to.
  static float kept_max(float /*m*/, float risen, float /*c*/) { return risen; }
  static float weight_frame(float kept, float /*risen*/) { return kept; }
  static float exp2(float z) { return static_cast<float>(std::exp2(static_cast<double>(z))); }
  static float rescale_factor(float alpha) { return alpha; }
  static float store_p(Format format, float p) { return round_to_narrow(format, p); }
  static float weight(float p) { return p; }           // after rounding, before P V
  static float accumulator(float acc) { return acc; }  // after each operation on it
  static float row_sum(float l) { return l; }          // as a tile leaves it

  // The end of the row.
  static bool is_dead(float l) { return l == 0; }  // a NaN is no dead row
  static float quotient(float acc, float l, Index /*column*/) { return acc / l; }
  static float output(Format /*format*/, float o) { return o; }  // before it is rounded and stored
  static float lse(float value) { return value; }
  static bool stores_row(const Problem&, Index /*i*/) { return true; }
  static Index stored_entry(Index b) { return b; }  // of the batch

  // Parts of the keys, and merging them (merge.hpp).
  static Index part_k(Index told, Index /*n_k*/, Index /*tile_k*/, Index /*parts*/) { return told; }
  static std::size_t merged_parts(std::size_t parts) { return parts; }  // of so many, the first
  static constexpr bool kMarksEmptyParts = true;  // as (0, -inf), wherever a row sees none of them
  static float part_frame(float largest) { return largest; }  // what is subtracted from LSEs
  static bool part_is_empty(float lse) { return lse == kMinusInfinity; }
};

}  // namespace attest
