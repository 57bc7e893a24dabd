#include "judge/backward_arithmetic.hpp"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

bool is_narrow(Format format) { return format == Format::f16 || format == Format::bf16; }

// A field, or its worst value with a note that it was assumed.
template <class Value>
Value take(const std::optional<Value>& field, Value worst, const char* key, Resolved& shared) {
  if (!field) shared.assumed.emplace_back(key);
  return field.value_or(worst);
}

// dS goes where K and Q go: undeclared, it has their format, or, from wider inputs, may have been
// narrowed to either 16-bit one.
void resolve_ds(const Numerics& n, Format in, BackwardArithmetic& a) {
  a.ds_format = take(n.ds_format, is_narrow(in) ? in : Format::bf16, "ds_format", a.shared);
  if (!is_narrow(a.ds_format)) return;
  const Format smallest_range = n.ds_format || is_narrow(in) ? a.ds_format : Format::f16;
  a.u_ds = unit_roundoff(a.ds_format);
  a.eta_ds = smallest_subnormal(smallest_range) / 2;
}

// One head has no group to sum over; undeclared matters from two on, and costs what both do.
void resolve_group(const Numerics& n, const Problem& problem, BackwardArithmetic& a) {
  const bool grouped = problem.heads_q > problem.heads_k;
  if (!n.group_sum) a.shared.assumed.emplace_back("group_sum");
  if (n.group_sum) {
    a.per_head = n.group_sum->per_head;
    a.chain_per_head = a.per_head.has_value();
  } else if (grouped) {
    a.per_head = is_narrow(problem.out) ? problem.out : Format::bf16;
  }
  if (!a.per_head) return;
  const Format smallest_range = n.group_sum || is_narrow(problem.out) ? *a.per_head : Format::f16;
  a.u_head = is_narrow(*a.per_head) ? unit_roundoff(*a.per_head) : 0;
  a.eta_head = smallest_subnormal(smallest_range) / 2;
}

}  // namespace

BackwardArithmetic resolve_backward(const Numerics& n, const Problem& problem) {
  BackwardArithmetic a;
  a.shared = resolve(n, problem);
  if (n.d_source) {
    a.d_from_stored_o = n.d_source == DSource::stored_o;
    a.d_from_f32_o = n.d_source == DSource::f32_o;
    a.d_from_p = n.d_source == DSource::p_dp;
  } else {
    a.shared.assumed.emplace_back("d_source");
  }
  a.p_rounded_in_ds = take(n.p_in_ds, PInDs::rounded, "p_in_ds", a.shared) == PInDs::rounded;
  resolve_ds(n, problem.in, a);
  const DqSum sum = take(n.dq_sum, DqSum{}, "dq_sum", a.shared);
  a.dq_tile = sum.tile;
  a.dq_one_chain = !n.dq_sum || sum.kind == DqSum::Kind::one_chain;
  a.dq_by_tiles = !n.dq_sum || sum.kind != DqSum::Kind::one_chain;
  a.tile_q = take(n.tile_q, Index{16}, "tile_q", a.shared);
  resolve_group(n, problem, a);
  return a;
}

double gam_of_dq(const BackwardArithmetic& a, Index first, Index last, Index live) {
  return gam_of_dq_in_tiles(a, live, last / a.dq_tile - first / a.dq_tile + 1);
}

double gam_of_dq_in_tiles(const BackwardArithmetic& a, Index live, Index tiles) {
  double gam = 0;
  if (a.dq_one_chain) gam = gam_of_chain(a.shared, live, a.dq_tile, tiles, 0);
  if (a.dq_by_tiles) {
    const Index in_tile = std::min(live, a.dq_tile);
    gam = std::max(gam, gam_of_chain(a.shared, in_tile, a.dq_tile, 1, tiles - 1));
  }
  return gam;
}

double gam_of_key(const BackwardArithmetic& a, Index live, Index tiles) {
  return gam_of_chain(a.shared, live, a.tile_q, tiles, 0);
}

double operand_floor(const Resolved& arithmetic, Format format) {
  const bool as_is = arithmetic.unit_known && arithmetic.unit == Unit::fp32_seq;
  return as_is || !is_narrow(format) ? 0 : smallest_normal(format);
}

double gam_of_f32_chain(Index operations) {
  const double raw = static_cast<double>(operations) * kU;
  return raw < 0.5 ? raw / (1 - raw) : std::numeric_limits<double>::infinity();
}

}  // namespace attest
