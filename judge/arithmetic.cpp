#include "judge/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/contract.hpp"

namespace attest {
namespace {

// The value of a field, or its worst value with a note that it was assumed.
template <class Value>
Value take(const std::optional<Value>& field, Value worst, const char* key,
           std::vector<std::string>& assumed) {
  if (!field) assumed.emplace_back(key);
  return field.value_or(worst);
}

// Largest error of a rounding to nearest below the normal range.
double half_step(Format format) { return smallest_subnormal(format) / 2; }

bool is_narrow(Format format) { return format == Format::f16 || format == Format::bf16; }

bool has_budget(Format format) {
  return is_narrow(format) || format == Format::f32 || format == Format::f64;
}

// A subject that declares a tile keeps its scores on chip.
ScoreStore worst_score_store(const Numerics& numerics, Format in) {
  if (numerics.tile_k) return ScoreStore::none;
  if (in == Format::f16) return ScoreStore::f16;
  return in == Format::bf16 ? ScoreStore::bf16 : ScoreStore::f32;
}

double error_of_constant(const std::optional<ConstantRounding>& rounding) {
  if (!rounding) return 2 * kU;
  return rounding == ConstantRounding::once ? kU : 1.23 * kU;
}

double error_of_division(Divide divide) {
  switch (divide) {
    case Divide::exact: return kU;
    case Divide::reciprocal: return 2 * kU + kU * kU;  // two roundings
    case Divide::approx: return 5 * kU;
  }
  return 5 * kU;
}

// How a unit adds: blocks of `width` products with the accumulator, each cut to `fraction_bits`.
struct BlockUnit {
  Index width;
  int fraction_bits;  // 0: the block's sum is exact and rounded once
};

BlockUnit block_of(Unit unit) {
  switch (unit) {
    case Unit::exact_rn: return {16, 0};
    case Unit::v100: return {4, 23};
    case Unit::a100: return {8, 24};
    case Unit::h100: return {16, 25};
    case Unit::fp32_seq:
    case Unit::device: return {1, 0};
  }
  return {1, 0};
}

Index ceil_div(Index a, Index b) { return a / b + (a % b != 0 ? 1 : 0); }

// Lemma 4: `products` non-zero products that reach the accumulator in `steps` groups of at most
// `length` slots. A block that holds n of them errs by (n - 1) 2^-F + 2^-23 of the sum of
// magnitudes, an empty one not at all, so the worst is as many non-empty blocks as there can be.
double raw_gam(const Resolved& arithmetic, Index products, Index length, Index steps) {
  if (!arithmetic.unit_known) return 2.5 * static_cast<double>(products) * kU;
  const BlockUnit unit = block_of(arithmetic.unit);
  // No more blocks than products: slots that a declaration has beyond that do not matter.
  const Index in_group = ceil_div(std::min(length, products * unit.width), unit.width);
  const Index blocks = std::min(products, steps * in_group);
  if (unit.fraction_bits == 0) return static_cast<double>(blocks) * kU;
  const double cut = std::ldexp(1.0, -unit.fraction_bits);
  return static_cast<double>(products - blocks) * cut + static_cast<double>(blocks) * 0x1p-23;
}

double normalised(double gam) {
  return gam < 0.5 ? gam / (1 - gam) : std::numeric_limits<double>::infinity();
}

// A kernel multiplies P by V on one unit, so an undeclared P has V's format; from wider inputs it
// may have been narrowed to either 16-bit format, and takes the worse constant of each.
void resolve_p(const Numerics& n, Format in, Resolved& r) {
  r.p_format = take(n.p_format, is_narrow(in) ? in : Format::bf16, "p_format", r.assumed);
  const double steps = take(n.p_truncated, true, "p_truncated", r.assumed) ? 2 : 1;
  if (!is_narrow(r.p_format)) return;
  const Format smallest_range = n.p_format || is_narrow(in) ? r.p_format : Format::f16;
  r.u_p = steps * unit_roundoff(r.p_format);
  r.eta_p = steps * half_step(smallest_range);
}

// A binary32 output is the division's own result: it rounds no second time.
void resolve_o(const Numerics& n, Format out, Resolved& r) {
  r.o_format = take(n.o_format, out, "o_format", r.assumed);
  const bool cut =
      take(n.o_rounding, Rounding::toward_zero, "o_rounding", r.assumed) == Rounding::toward_zero;
  const bool flushed = take(n.o_ftz, true, "o_ftz", r.assumed);
  const double steps = cut ? 2 : 1;
  r.o_saturates = cut;
  r.o_overflows = n.o_rounding != Rounding::toward_zero;
  r.u_o = is_narrow(r.o_format) ? steps * unit_roundoff(r.o_format) : 0;
  r.eta_o = flushed ? smallest_normal(r.o_format) : steps * half_step(r.o_format);
}

// Partial outputs are stored as outputs are. No parts unless they are declared.
void resolve_split(const Numerics& n, Resolved& r) {
  if (!n.split || !n.split->partial) return;
  r.split = true;
  r.part_k = take(n.part_k, Index{16}, "part_k", r.assumed);
  r.exp_lse = take(n.combine, Combine::exp_lse, "combine", r.assumed) == Combine::exp_lse;
  r.partial = *n.split->partial;
  const double steps = n.o_rounding == Rounding::nearest_even ? 1 : 2;
  r.u_part = is_narrow(r.partial) ? steps * unit_roundoff(r.partial) : 0;
  r.eta_part = n.o_ftz.value_or(true) ? smallest_normal(r.partial) : steps * half_step(r.partial);
}

}  // namespace

Resolved resolve(const Numerics& n, const Problem& problem) {
  ATTEST_EXPECTS(has_budget(problem.in) && has_budget(problem.out));
  Resolved r;
  auto& assumed = r.assumed;
  r.unit = take(n.unit, Unit::device, "unit", assumed);
  r.unit_known = n.unit.has_value() && r.unit != Unit::device;
  r.scale_at = take(n.scale_at, ScaleAt{problem.in}, "scale_at", assumed);
  r.scale_at_known = n.scale_at.has_value();
  r.u_c = error_of_constant(n.c);
  if (!n.c) assumed.emplace_back("c");
  r.s_store = take(n.s_store, worst_score_store(n, problem.in), "s_store", assumed);
  r.exponent = take(n.exponent, Exponent::product_first, "exponent", assumed);
  r.exponent_known = n.exponent.has_value();
  r.eps = take(n.exp2, 5 * kU, "exp2", assumed);
  r.eta_x = take(n.exp_ftz, true, "exp_ftz", assumed) ? 0x1p-126 : 0x1p-150;
  resolve_p(n, problem.in, r);
  r.p_normalised = take(n.p_normalised, PNormalised::before_pv, "p_normalised", assumed);
  r.l_rounded_possible = !n.l_from || *n.l_from == LFrom::rounded;
  r.l_unrounded_possible = !n.l_from || *n.l_from == LFrom::unrounded;
  if (!n.l_from) assumed.emplace_back("l_from");
  r.lanes = take(n.l_chain, LChain{1}, "l_chain", assumed).lanes;
  r.tile_k = take(n.tile_k, Index{16}, "tile_k", assumed);
  r.ascending = take(n.order, TileOrder::any, "order", assumed) == TileOrder::ascending;
  r.lag = n.max.value_or(RowMax{}).lag;
  r.u_div = error_of_division(take(n.divide, Divide::approx, "divide", assumed));
  r.ftz = take(n.ftz, true, "ftz", assumed);
  r.eta = r.ftz ? 0x1p-126 : 0x1p-149;
  resolve_o(n, problem.out, r);
  resolve_split(n, r);
  r.lse_format = take(n.lse_format, Format::f32, "lse_format", assumed);
  r.log = take(n.log, LogError{true, 0}, "log", assumed);
  return r;
}

double gam_of_dot(const Resolved& arithmetic, Index length, Index products) {
  return normalised(raw_gam(arithmetic, products, length, 1));
}

double gam_of_chain(const Resolved& arithmetic, Index products, Index length, Index steps,
                    Index additions) {
  const double rounded = static_cast<double>(additions) * kU;
  return normalised(raw_gam(arithmetic, products, length, steps) + rounded);
}

double gam_of_pv(const Resolved& arithmetic, Index live, Index tiles) {
  const double rescales = static_cast<double>(tiles - 1) * kU;
  return normalised(raw_gam(arithmetic, live, arithmetic.tile_k, tiles) + rescales);
}

double gam_of_row_sum(const Resolved& arithmetic, Index live, Index tiles) {
  const auto keys = static_cast<double>(live);
  const auto rescales = static_cast<double>(tiles - 1);
  if (arithmetic.lanes == 1) return (keys - 1 + rescales) * kU;
  const auto lanes = static_cast<double>(arithmetic.lanes);
  const double longest = std::ceil(keys / lanes) + 2 + std::ceil(std::log2(lanes));
  return (std::min(keys - 1, longest) + rescales) * kU;
}

}  // namespace attest
