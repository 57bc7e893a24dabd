#include "judge/replayed_row.hpp"

#include <cmath>

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends

bool is_in_range(const Range32& x) { return x.largest() < kLargest; }

Range32 hull(const Range32& a, const Range32& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

// What a store in a format of at most 32 bits kept.
Range32 as_range(const RoundedSet& set) {
  return {static_cast<float>(set.lo), static_cast<float>(set.hi)};
}

bool is_finite(const RoundedSet& set) { return std::isfinite(set.lo) && std::isfinite(set.hi); }

}  // namespace

const std::vector<ReplayedPair>& ReplayedRow::pairs(Index i, const StoredRow& stored) {
  weigh(i, stored);
  const Range32 d = d_of(stored);
  for (ReplayedPair& pair : pairs_) add_gradient(pair, d);
  return pairs_;
}

void ReplayedRow::weigh(Index i, const StoredRow& stored) {
  const RowScores& row = scores_.row(i);
  pairs_.assign(static_cast<std::size_t>(row.end - row.first), {});
  const auto computed = [&](const UnitDots* unit, std::span<const double> left) {
    return unit == nullptr ? std::vector<double>() : unit->of(left, row.first, row.end);
  };
  score_of_.enter(i, computed(unit_.keys, stored.q));
  dp_of_.enter(i, computed(unit_.values, stored.dout));
  const float framed = rule_.weights.framed(stored.lse);
  Index j = row.first;
  for (ReplayedPair& pair : pairs_) {
    pair.weight = rule_.weights.weight(score_of_.at(j), framed);
    pair.dp = dp_of_.at(j);
    ++j;
    if (!is_in_range(pair.weight)) continue;
    pair.p = rounded_set(pair.weight.lo, pair.weight.hi, rule_.p);
    pair.weight_known = is_finite(pair.p);
  }
}

template <class WeightOf>
Range32 ReplayedRow::d_from_p(WeightOf weight_of) const {
  double lo = 0;
  double hi = 0;
  double size = 0;
  Index products = 0;
  for (const ReplayedPair& pair : pairs_) {
    if (!pair.weight_known || !is_in_range(pair.dp)) return kAnything;
    const Range32 p = weight_of(pair);
    const double least = p.lo;
    const double most = p.hi;
    lo += (pair.dp.lo < 0 ? most : least) * static_cast<double>(pair.dp.lo);
    hi += (pair.dp.hi < 0 ? least : most) * static_cast<double>(pair.dp.hi);
    const double largest = most * static_cast<double>(pair.dp.largest());
    size += largest;
    products += largest != 0;
  }
  if (products == 0) return {0, 0};
  const auto n = static_cast<double>(products);
  const double off =
      (gam_of_f32_chain(products) + (n + 4) * 0x1p-52) * size + n * rule_.arithmetic.shared.eta;
  if (!(size + off < kLargest)) return kAnything;
  return range32(lo - off, hi + off);
}

Range32 ReplayedRow::d_of(const StoredRow& stored) const {
  Range32 d;
  if (rule_.d_source != DSource::p_dp) {
    d = d_from_o(stored);
  } else {
    d = d_from_p([](const ReplayedPair& pair) { return pair.weight; });
    // Where dS takes the rounded weights, D may take them, too: all of them.
    if (rule_.p_rounded_in_ds) {
      d = hull(d, d_from_p([](const ReplayedPair& pair) { return as_range(pair.p); }));
    }
  }
  return stored.has_glse ? d - Range32{stored.glse, stored.glse} : d;
}

Range32 ReplayedRow::d_from_o(const StoredRow& stored) const {
  const RowDot& dot = stored.dout_o;
  if (!dot.known) return kAnything;
  const Resolved& a = rule_.arithmetic.shared;
  Index products = dot.products;
  double rounded = 0;  // what O lost on its way to where it is stored
  if (rule_.d_source == DSource::f32_o) {
    // A store toward zero shows its largest value for everything beyond.
    if (rule_.output.rounding == Rounding::toward_zero &&
        dot.largest >= largest_finite(rule_.output.format)) {
      return kAnything;
    }
    products = problem_.d_v;
    rounded = a.u_o * dot.size + a.eta_o * stored.sum_abs_dout;
  }
  if (products == 0) return {0, 0};
  const double chain = gam_of_f32_chain(products) + 0x1p-50;
  const double size = dot.size + rounded;
  const double off = chain * size + rounded + dot.radius + static_cast<double>(products) * a.eta;
  if (!(size + off < kLargest)) return kAnything;
  return range32(dot.dot - off, dot.dot + off);
}

void ReplayedRow::add_gradient(ReplayedPair& pair, const Range32& d) const {
  if (!pair.weight_known || !is_in_range(d) || !is_in_range(pair.dp)) return;
  const Range32 factor = rule_.p_rounded_in_ds ? as_range(pair.p) : pair.weight;
  const Range32 ds = times(factor, pair.dp - d);
  if (!is_in_range(ds)) return;
  pair.ds = rounded_set(ds.lo, ds.hi, rule_.ds);
  pair.known = is_finite(pair.ds);
}

}  // namespace attest
