#include "core/numerics_fields.hpp"

#include <algorithm>

namespace attest {
namespace {

struct About {
  std::string_view key;
  std::string_view text;
};

// x is an unscaled score, m the running maximum, c = scale log2(e) in binary32.
constexpr About kAbout[] = {
    {"unit", "what sums products: `attest list units`; fp32-seq for scalar fused multiply-adds"},
    {"scale_at", "where the scale enters: the scores, or Q, which is then rounded to this format"},
    {"c", "scale log2(e) rounded once, or log2(e) rounded first"},
    {"s_store", "the format in which S is stored between kernels; none: S is never stored"},
    {"exponent",
     "of a weight: exp2((x - m) c), difference_first; exp2(x c - m) with m of scaled scores, "
     "scaled_max, as expf(x scale - m) is, too; exp2(x c - m c), product_first; "
     "exp2(fma(x, c, -m c)), fused"},
    {"exp2", "relative error of the exponential at its argument in binary32: 2^-23 is 0x1p-23"},
    {"exp_ftz", "is an exponential below 2^-126 flushed to 0?"},
    {"p_format", "what weights are rounded to before P V"},
    {"p_truncated", "toward zero, not to nearest?"},
    {"p_normalised", "are weights divided by their sum after P V, or before?"},
    {"l_from", "is the row sum taken of weights before they are rounded to p_format, or after?"},
    {"l_chain", "the row sum's additions: one chain, or so many and a tree"},
    {"tile_k",
     "keys a tile, of which the maximum is taken at once; tiles begin at multiples of it. Drawn "
     "lengths lie at their edges, too; at those of 128 where it is left open"},
    {"order", "tiles in ascending order of keys, or in any"},
    {"max", "weights relative to the largest score so far, or to one that may lag: lazy:8 is 2^8"},
    {"divide", "by the row sum: one division, a product with its reciprocal, or an approximation"},
    {"o_format", "what O is rounded to, and the gradients"},
    {"o_rounding", "how"},
    {"lse_format", "what LSE is rounded to"},
    {"log", "relative error of log(l): correctly rounded is 0x1p-24; approx: an intrinsic's"},
    {"ftz", "are binary32 results below 2^-126 flushed to 0?"},
    {"o_ftz", "are stored outputs below their format's normal range?"},
    {"split", "are keys split into parts, each with an O of its own in this format?"},
    {"part_k", "keys a part; parts begin at multiples of it"},
    {"combine", "parts weighted by exp(L_s - max L) and divided, or by exp(L_s - L)"},
    {"d_source", "where D = sum dO O comes from: the stored O, one in binary32, or sum P dP"},
    {"p_in_ds", "the P of dS = P (dP - D): in binary32, or as rounded"},
    {"ds_format", "what dS is rounded to before dS K and dS^T Q"},
    {"dq_sum", "over tiles of so many keys: one accumulator, sums added in order, or atomically"},
    {"tile_q",
     "queries a tile, in the chains of dK and dV among others; drawn lengths lie at its edges, "
     "too"},
    {"group_sum", "dK and dV of a group: one chain over its heads, or stored per head and added"},
    {"dot_order",
     "q.k and dO.v: columns ascending in one accumulator, so that the unit's rule "
     "gives every bit; or any order"},
};

}  // namespace

std::vector<NumericsField> numerics_fields() {
  std::vector<NumericsField> fields = numerics_keys();
  for (NumericsField& field : fields) {
    const About* const found = std::ranges::find(kAbout, field.key, &About::key);
    if (found != std::end(kAbout)) field.about = found->text;
  }
  return fields;
}

}  // namespace attest
