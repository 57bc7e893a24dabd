// numerics.hpp - what a subject declares about its arithmetic.
//
// A declaration is data: each field may be unknown (nullopt), and then takes the value that costs
// the subject the largest error; the verdict lists such fields as assumed (judge/arithmetic). The
// text form "unit=h100;exponent=fused;..." crosses every interface. What each field contributes to
// a budget is derived in docs/error-analysis.md, section 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/format.hpp"
#include "core/tensor.hpp"
#include "core/unit.hpp"

namespace attest {

// How a weight's exponent is computed from the unscaled score x, the running maximum m and
// c = scale * log2(e) in binary32.
enum class Exponent : std::uint8_t {
  difference_first,  // exp2(fl(fl(x - m) c))
  scaled_max,        // y = fl(x c), m = max y: exp2(fl(y - m))
  product_first,     // exp2(fl(fl(x c) - fl(m c)))
  fused,             // exp2(fma(x, c, -fl(m c)))
};

// Where the scale enters: the scores, or Q rounded to `q` after scaling.
struct ScaleAt {
  std::optional<Format> q;  // nullopt: the scores
  friend bool operator==(const ScaleAt&, const ScaleAt&) = default;
};

enum class ScoreStore : std::uint8_t { none, f32, f16, bf16 };
enum class ConstantRounding : std::uint8_t {
  once,         // c is scale * log2(e) rounded once
  log2e_first,  // log2(e) is rounded to binary32, then the product
};
enum class PNormalised : std::uint8_t { after_pv, before_pv };
// The maximum that weights are relative to.
struct RowMax {
  // Powers of two by which it may stay behind the largest score so far; above 0 a rescale is put
  // off until more is due ("lazy"). Weights reach 2^lag then.
  double lag = 0;
  friend bool operator==(const RowMax&, const RowMax&) = default;
};

// A weight of 2^14, off by a factor e, is still an f16.
inline constexpr double kMostLag = 14;

enum class TileOrder : std::uint8_t { ascending, any };
// Dot products over a head dimension: q.k, and in the backward dO.v.
enum class DotOrder : std::uint8_t {
  ascending,  // one accumulator of the unit from zero, columns ascending, zeros after the last: the
              // unit's rule then gives the result bit for bit
  any,
};
enum class LFrom : std::uint8_t { unrounded, rounded };
enum class Divide : std::uint8_t { exact, reciprocal, approx };

// Are keys split into parts, each with its own O and LSE, that a second kernel combines?
struct SplitKeys {
  std::optional<Format> partial;  // nullopt: no parts; else the format of the parts' normalised O
  friend bool operator==(const SplitKeys&, const SplitKeys&) = default;
};
enum class Combine : std::uint8_t {
  divide,   // weights exp(L_s - max L), divided by their sum
  exp_lse,  // weights exp(L_s - L), not divided
};

// Backward: where D_i = sum_k dO_ik O_ik (- gL_i) comes from.
enum class DSource : std::uint8_t {
  stored_o,  // the O of the forward as it was stored
  f32_o,     // an O in binary32, before its rounding to the output
  p_dp,      // sum_j P_ij dP_ij over the recomputed P
};
enum class PInDs : std::uint8_t { f32, rounded };  // which P stands in dS = P o (dP - D)

// How dQ sums over tiles of keys.
struct DqSum {
  enum class Kind : std::uint8_t {
    one_chain,  // one accumulator of the unit runs over all tiles
    ordered,    // each tile from zero, added in binary32 in a fixed order
    atomic,     // the same in any order: bits may differ from run to run
  };
  Kind kind = Kind::atomic;
  Index tile = 16;  // keys; tiles start at multiples of it
  friend bool operator==(const DqSum&, const DqSum&) = default;
};

// dK and dV of a key head sum over the query heads that share it.
struct GroupSum {
  std::optional<Format> per_head;  // nullopt: one chain over all rows; else each head's gradient is
                                   // stored in this format and they are added in binary32
  friend bool operator==(const GroupSum&, const GroupSum&) = default;
};

// How the additions of the row sum are arranged: one chain, or `lanes` chains and a tree.
struct LChain {
  Index lanes = 1;  // 1: sequential
  friend bool operator==(const LChain&, const LChain&) = default;
};

// log(l) in the LSE: correctly rounded, an approximate intrinsic, or a relative error as declared.
struct LogError {
  bool approx = false;
  double relative = 0x1p-24;  // of log(l), when not approx
  friend bool operator==(const LogError& a, const LogError& b) {
    return a.approx == b.approx && (a.approx || a.relative == b.relative);
  }
};

struct Numerics {
  std::optional<Unit> unit;
  std::optional<ScaleAt> scale_at;
  std::optional<ConstantRounding> c;
  std::optional<ScoreStore> s_store;
  std::optional<Exponent> exponent;
  std::optional<double> exp2;  // relative error of the kernel's exp2 at its binary32 argument
  std::optional<bool> exp_ftz;
  std::optional<Format> p_format;
  std::optional<bool> p_truncated;
  std::optional<PNormalised> p_normalised;
  std::optional<LFrom> l_from;
  std::optional<LChain> l_chain;
  std::optional<Index> tile_k;  // keys per tile; tiles start at multiples of it
  std::optional<TileOrder> order;
  std::optional<RowMax> max;  // unknown or absent: no lag, as before the key existed
  std::optional<Divide> divide;
  std::optional<Format> o_format;
  std::optional<Rounding> o_rounding;
  std::optional<Format> lse_format;
  std::optional<LogError> log;
  std::optional<bool> ftz;         // are binary32 results below the normal range flushed to zero?
  std::optional<bool> o_ftz;       // are stored outputs below their format's normal range?
  std::optional<SplitKeys> split;  // unknown or absent: no parts, as before the key existed
  std::optional<Index> part_k;     // keys per part, parts start at multiples of it; unknown: 16
  std::optional<Combine> combine;  // unknown: the costlier; matters where keys are split
  // Backward. exponent, c, exp2, scale_at, p_format, divide, o_* mean there what they mean above;
  // o_* are those of the gradients, too. Unknown or absent: the costliest.
  std::optional<DSource> d_source;
  std::optional<PInDs> p_in_ds;
  std::optional<Format> ds_format;  // what dS is rounded to before dS K and dS^T Q
  std::optional<DqSum> dq_sum;
  std::optional<Index> tile_q;  // queries per tile in the chains of dK and dV; tiles start at
                                // multiples of it
  std::optional<GroupSum> group_sum;
  std::optional<DotOrder> dot_order;  // unknown or absent: any

  friend bool operator==(const Numerics&, const Numerics&) = default;
};

// Every field is printed, "unknown" included; parsing gives the same declaration back. An absent
// key is unknown; a key that joins later states in its own comment what its absence means, so that
// old declarations keep their meaning. Throws Error (usage) on an unknown key or value.
[[nodiscard]] std::string to_string(const Numerics& numerics);
[[nodiscard]] Numerics parse_numerics(std::string_view text);

}  // namespace attest
