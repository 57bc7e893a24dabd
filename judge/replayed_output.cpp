#include "judge/replayed_output.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "judge/arithmetic.hpp"
#include "judge/widened_rows.hpp"

namespace attest {
namespace {

constexpr double kRounding = 0x1p-52;  // of binary64, twice over
constexpr double kMostStored = 1.1;    // of P: e^(1/16), rounded up to 8 bits

}  // namespace

ReplayedValues replayed_values(const ReplayRules& rules, const ConstTensorView& v, Index b,
                               Index key_head) {
  const double least = rules.arithmetic.unit == Unit::fp32_seq ? 0 : smallest_normal(v.format);
  ReplayedValues values;
  values.d_v = v.extents[3];
  values.v = widened_rows(v, b, key_head, 0, v.extents[2]);
  values.floor.resize(values.v.size());
  for (std::size_t n = 0; n < values.v.size(); ++n) {
    const double x = std::fabs(values.v[n]);
    values.floor[n] = x == 0 ? 0 : std::max(x, least);
  }
  return values;
}

ReplayedOutput::ReplayedOutput(const ReplayRules& rules, const ReplayedValues& values,
                               const RowScores& scores, const ReplayedWeights& row)
    : rules_(rules),
      values_(values),
      first_(scores.first),
      row_(row),
      sums_(row.tiles.size() * static_cast<std::size_t>(values_.d_v)),
      unknown_(sums_.size()),
      size_(static_cast<std::size_t>(values_.d_v)),
      totals_(row.tiles.size()) {
  for (std::size_t t = 0; t < row.tiles.size(); ++t) sum_up_tile(t);
  const auto live = static_cast<double>(row.weights.size());
  const auto rescales = static_cast<double>(row.tiles.size() - 1);
  const Resolved& a = rules_.arithmetic;
  operations_ = live + rescales;
  roundings_ = (operations_ + 64) * kRounding;
  rescale_lost_ = rescales * a.eta_x * row.most;
  row_sum_lost_ = (rescales + (a.ftz ? live : 0)) * a.eta * row.most;
  for (const Known& total : totals_) row_sum_lost_ += rescale_lost_ * total.most();
  gam_pv_ = gam_of_pv(a, scores.end - scores.first, static_cast<Index>(row.tiles.size()));
  gam_l_ = gam_of_row_sum(a, scores.end - scores.first, static_cast<Index>(row.tiles.size()));
}

double ReplayedOutput::least_row_sum() const {
  return least_sum() * (1 - gam_l_) * (1 - roundings_) - row_sum_lost_;
}

Budget ReplayedOutput::budget(Index k, double sum_abs_v, double& centre) const {
  Budget budget;
  budget.terms.reserve(7);
  double total = 0;
  const auto add = [&](std::string_view name, double value) {
    budget.terms.push_back({name, value});
    total += value;
  };
  const double l = sum_of_totals();
  centre = rules_.p_before ? sums_[at(0, k)] : numerator(k) / l;
  const double abs_o = std::fabs(centre);
  const double left = rules_.p_before ? 1 : least_row_sum();
  const Parts parts = parts_at(k, centre);
  add("P rounding", parts.unknown / left);
  if (!rules_.p_before) {
    add("weights", parts.summed / left);
    add("rescaling", parts.rescaled / left);
  }
  add("PV accumulation", gam_pv_ * size_at(k) / left);
  const Resolved& a = rules_.arithmetic;
  const double in_pv = operations_ * a.eta * row_.most + rescale_lost_ * kMostStored * sum_abs_v;
  add("underflow", (in_pv + (rules_.p_before ? 0 : abs_o * row_sum_lost_)) / left);
  if (!rules_.p_before) {
    add("row sum", abs_o * gam_l_ * least_sum() / left);
    add("division", a.u_div * (abs_o + total) + a.eta);
  }
  total += 4 * roundings_ * (size_at(k) + abs_o * l) / left;
  budget.total = total * (1 + roundings_);
  return budget;
}

void ReplayedOutput::sum_up_tile(std::size_t t) {
  const ReplayedTile& tile = row_.tiles[t];
  const double least_p = rules_.p_store.format == Format::f16 && !rules_.p_wide &&
                                 rules_.arithmetic.unit != Unit::fp32_seq
                             ? smallest_normal(Format::f16)
                             : 0;
  double* sums = sums_.data() + t * static_cast<std::size_t>(values_.d_v);
  double* unknown = unknown_.data() + t * static_cast<std::size_t>(values_.d_v);
  for (Index j = tile.first; j < tile.end; ++j) {
    const ReplayedWeight& weight = weight_of(j);
    totals_[t].centre += weight.summed.centre;
    totals_[t].off += weight.summed.off;
    const double p = weight.stored.centre;
    const double most = weight.stored.most();
    if (most == 0) continue;
    const double size = tile.reach * tile.most * std::max(most, least_p);
    const double* v = values_.v.data() + j * values_.d_v;
    const double* floor = values_.floor.data() + j * values_.d_v;
    for (Index k = 0; k < values_.d_v; ++k) sums[k] += p * v[k];
    for (Index k = 0; k < values_.d_v; ++k) size_[static_cast<std::size_t>(k)] += size * floor[k];
    if (weight.stored.off == 0 || shares()) continue;
    for (Index k = 0; k < values_.d_v; ++k) unknown[k] += weight.stored.off * std::fabs(v[k]);
  }
}

// Theorem 21: the distance of the computed numerator from centre times the computed row sum.
ReplayedOutput::Parts ReplayedOutput::parts_at(Index k, double centre) const {
  Parts parts;
  const double abs_o = std::fabs(centre);
  for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
    const ReplayedTile& tile = row_.tiles[t];
    const double sum = sums_[at(t, k)];
    const double away = std::fabs(sum - centre * totals_[t].centre);
    if (rules_.p_before) {
      parts.unknown += unknown_[at(t, k)];
    } else if (shares()) {
      const double frame = rules_.p_wide ? 0 : tile.most * tile.frame_off;
      parts.rescaled += tile.reach * (frame + tile.rescale_off) * away;
      parts.unknown += tile.reach * tile.most * spread_of_unknown(tile, k, centre);
    } else {
      const double unknown = unknown_[at(t, k)];
      parts.rescaled += tile.reach * (tile.most * tile.frame_off * (std::fabs(sum) + unknown) +
                                      tile.rescale_off * away);
      parts.unknown += tile.reach * tile.most * unknown;
      parts.summed += tile.reach * tile.most * abs_o * totals_[t].off;
    }
  }
  return parts;
}

// What numerator and row sum have in common moves O by its distance from v only.
double ReplayedOutput::spread_of_unknown(const ReplayedTile& tile, Index k, double centre) const {
  double spread = 0;
  for (Index j = tile.first; j < tile.end; ++j) {
    const double off = weight_of(j).stored.off;
    if (off != 0)
      spread += off * std::fabs(values_.v[static_cast<std::size_t>(j * values_.d_v + k)] - centre);
  }
  return spread;
}

double ReplayedOutput::numerator(Index k) const {
  double sum = 0;
  for (std::size_t t = 0; t < row_.tiles.size(); ++t) sum += row_.tiles[t].reach * sums_[at(t, k)];
  return sum;
}

double ReplayedOutput::sum_of_totals() const {
  double sum = 0;
  for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
    sum += row_.tiles[t].reach * totals_[t].centre;
  }
  return sum;
}

double ReplayedOutput::least_sum() const {
  double sum = 0;
  for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
    const double least = totals_[t].centre - totals_[t].off;
    sum += row_.tiles[t].reach / row_.tiles[t].most * std::max(0.0, least);
  }
  return sum;
}

// P and the row sum hold the same weights, and err alike.
bool ReplayedOutput::shares() const {
  return !rules_.p_before && (rules_.l_rounded || rules_.p_wide);
}

}  // namespace attest
