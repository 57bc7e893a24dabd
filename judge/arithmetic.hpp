// arithmetic.hpp - a declaration turned into constants, unknown fields at their worst.
//
// Every constant cites its result in docs/error-analysis.md, section 3.
#pragma once

#include <string>
#include <vector>

#include "core/numerics.hpp"
#include "core/problem.hpp"

namespace attest {

inline constexpr double kU = 0x1p-24;  // unit roundoff of binary32, to nearest

// Numerics without an unknown field, and what had to be assumed.
struct Resolved {
  Unit unit = Unit::device;
  bool unit_known = false;
  ScaleAt scale_at;
  bool scale_at_known = false;  // unknown: scores may still meet the scale, or Q carries it
  double u_c = 0;               // relative error of c = scale * log2(e)
  ScoreStore s_store = ScoreStore::none;
  Exponent exponent = Exponent::product_first;
  bool exponent_known = false;  // unknown: the costs of product_first and fused both count
  double eps = 0;               // relative error of exp2
  double eta_x = 0;             // absolute error of exp2 where it underflows
  Format p_format = Format::f32;
  double u_p = 0;
  double eta_p = 0;
  PNormalised p_normalised = PNormalised::after_pv;
  bool l_rounded_possible = false;    // l may be summed from rounded P
  bool l_unrounded_possible = false;  // l may be summed from unrounded P
  Index lanes = 1;
  Index tile_k = 16;
  bool ascending = false;  // tiles are known to come in ascending order
  double lag = 0;          // powers of two by which the maximum of weights may stay behind
  double u_div = 0;
  Format o_format = Format::f32;
  double u_o = 0;
  double eta_o = 0;
  bool o_saturates = false;  // may round toward zero: the largest value stands for all above it
  bool o_overflows = true;   // may round to nearest: infinity does
  Format lse_format = Format::f32;
  LogError log;
  bool split = false;  // keys come in parts, merged by a second kernel: section 9
  Index part_k = 16;   // keys of a part
  Format partial = Format::f32;
  double u_part = 0;  // rounding of a part's output
  double eta_part = 0;
  bool exp_lse = true;  // parts weigh exp(L_s - L), and their sum is not divided
  double eta = 0;       // absolute error of a binary32 operation that underflows
  bool ftz = false;
  std::vector<std::string> assumed;  // the keys of fields that were unknown
};

// Requires: in and out are f64, f32, f16 or bf16. No budget covers kernels that store or multiply
// other formats.
[[nodiscard]] Resolved resolve(const Numerics& numerics, const Problem& problem);

// error-analysis.md, Lemma 4, each already divided by 1 - Gam; infinity when the bound breaks down.
//
// |computed - exact| <= gam * sum |x_i y_i| (+ underflow) for a dot product over `length` slots of
// which at most `products` hold a non-zero product.
[[nodiscard]] double gam_of_dot(const Resolved& arithmetic, Index length, Index products);

// The same for P V over `live` keys in `tiles` tiles, one rescale between tiles.
[[nodiscard]] double gam_of_pv(const Resolved& arithmetic, Index live, Index tiles);

// The same for `products` that reach the accumulator in `steps` groups of at most `length` slots,
// with `additions` roundings of binary32 on top.
[[nodiscard]] double gam_of_chain(const Resolved& arithmetic, Index products, Index length,
                                  Index steps, Index additions);

// The row sum's additions and rescalings, not divided by 1 - Gam: Theorems 5 and 6 take it raw.
[[nodiscard]] double gam_of_row_sum(const Resolved& arithmetic, Index live, Index tiles);

}  // namespace attest
