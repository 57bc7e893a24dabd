#include "judge/replay_forward.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "judge/forward_budget.hpp"
#include "judge/replay_weights.hpp"
#include "judge/unit_dots.hpp"

namespace attest {
namespace {

constexpr double kRounding = 0x1p-52;  // of binary64, twice over

// V of one key head, as numbers and as the unit sees them.
struct Values {
  std::vector<double> v;      // [n_k, d_v]
  std::vector<double> floor;  // |v|, no smaller than the smallest normal unless 0
};

Values read_values(const ForwardReplay& replay, Index b, Index key_head) {
  const Problem& p = replay.problem;
  const ConstTensorView in = replay.inputs.v.view();
  const bool floors = replay.rules.arithmetic.unit != Unit::fp32_seq;
  const double least = floors ? smallest_normal(p.in) : 0;
  Values values;
  for (Index j = 0; j < p.n_k; ++j) {
    for (Index k = 0; k < p.d_v; ++k) {
      const double v = in.value(b, key_head, j, k);
      values.v.push_back(v);
      values.floor.push_back(v == 0 ? 0 : std::max(std::fabs(v), least));
    }
  }
  return values;
}

std::vector<double> read_rows(const ConstTensorView& from, Index b, Index h, Index first,
                              Index rows) {
  std::vector<double> values;
  for (Index row = first; row < first + rows; ++row) {
    for (Index c = 0; c < from.extents[3]; ++c) values.push_back(from.value(b, h, row, c));
  }
  return values;
}

// The replay of one row, up to the division.
class RowReplay {
 public:
  RowReplay(const ForwardReplay& replay, const Values& values, const RowScores& scores,
            const ReplayedRow& row)
      : rules_(replay.rules),
        d_v_(replay.problem.d_v),
        values_(values),
        first_(scores.first),
        row_(row),
        sums_(row.tiles.size() * static_cast<std::size_t>(d_v_)),
        unknown_(sums_.size()),
        size_(static_cast<std::size_t>(d_v_)),
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

  // What is left of the row sum at its smallest; a replay needs it to be well above 0.
  [[nodiscard]] double least_row_sum() const {
    return least_sum() * (1 - gam_l_) * (1 - roundings_) - row_sum_lost_;
  }

  // The value before the store lies within the budget's total of `centre`. `sum_abs_v` is that of
  // the element's moments. Requires: least_row_sum() > 1/4, which holds before P V.
  [[nodiscard]] Budget budget(Index k, double sum_abs_v, double& centre) const {
    Budget budget;
    double total = 0;
    const auto add = [&](std::string_view name, double value) {
      budget.terms.push_back({name, value});
      total += value;
    };
    const double l = sum_of_totals();
    centre = rules_.p_before ? sum_at(0, k) : numerator(k) / l;
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

 private:
  static constexpr double kMostStored = 1.1;  // of P: e^(1/16), rounded up to 8 bits

  struct Parts {
    double unknown = 0;   // of the candidates of P
    double summed = 0;    // of what the row sum adds
    double rescaled = 0;  // of maxima and rescale factors
  };

  void sum_up_tile(std::size_t t) {
    const ReplayedTile& tile = row_.tiles[t];
    const double least_p = rules_.p_store.format == Format::f16 && !rules_.p_wide &&
                                   rules_.arithmetic.unit != Unit::fp32_seq
                               ? smallest_normal(Format::f16)
                               : 0;
    double* sums = sums_.data() + t * static_cast<std::size_t>(d_v_);
    double* unknown = unknown_.data() + t * static_cast<std::size_t>(d_v_);
    for (Index j = tile.first; j < tile.end; ++j) {
      const ReplayedWeight& weight = weight_of(j);
      totals_[t].centre += weight.summed.centre;
      totals_[t].off += weight.summed.off;
      const double p = weight.stored.centre;
      const double most = weight.stored.most();
      if (most == 0) continue;
      const double size = tile.reach * tile.most * std::max(most, least_p);
      const double* v = values_.v.data() + j * d_v_;
      const double* floor = values_.floor.data() + j * d_v_;
      for (Index k = 0; k < d_v_; ++k) sums[k] += p * v[k];
      for (Index k = 0; k < d_v_; ++k) size_[static_cast<std::size_t>(k)] += size * floor[k];
      if (weight.stored.off == 0 || shares()) continue;
      for (Index k = 0; k < d_v_; ++k) unknown[k] += weight.stored.off * std::fabs(v[k]);
    }
  }

  // Theorem 21: the distance of the computed numerator from centre times the computed row sum.
  [[nodiscard]] Parts parts_at(Index k, double centre) const {
    Parts parts;
    const double abs_o = std::fabs(centre);
    for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
      const ReplayedTile& tile = row_.tiles[t];
      const double sum = sum_at(t, k);
      const double away = std::fabs(sum - centre * totals_[t].centre);
      if (rules_.p_before) {
        parts.unknown += unknown_at(t, k);
      } else if (shares()) {
        const double frame = rules_.p_wide ? 0 : tile.most * tile.frame_off;
        parts.rescaled += tile.reach * (frame + tile.rescale_off) * away;
        parts.unknown += tile.reach * tile.most * spread_of_unknown(tile, k, centre);
      } else {
        const double unknown = unknown_at(t, k);
        parts.rescaled += tile.reach * (tile.most * tile.frame_off * (std::fabs(sum) + unknown) +
                                        tile.rescale_off * away);
        parts.unknown += tile.reach * tile.most * unknown;
        parts.summed += tile.reach * tile.most * abs_o * totals_[t].off;
      }
    }
    return parts;
  }

  // What numerator and row sum have in common moves O by its distance from v only.
  [[nodiscard]] double spread_of_unknown(const ReplayedTile& tile, Index k, double centre) const {
    double spread = 0;
    for (Index j = tile.first; j < tile.end; ++j) {
      const double off = weight_of(j).stored.off;
      if (off != 0)
        spread += off * std::fabs(values_.v[static_cast<std::size_t>(j * d_v_ + k)] - centre);
    }
    return spread;
  }

  [[nodiscard]] double numerator(Index k) const {
    double sum = 0;
    for (std::size_t t = 0; t < row_.tiles.size(); ++t) sum += row_.tiles[t].reach * sum_at(t, k);
    return sum;
  }

  [[nodiscard]] double sum_of_totals() const {
    double sum = 0;
    for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
      sum += row_.tiles[t].reach * totals_[t].centre;
    }
    return sum;
  }

  [[nodiscard]] double least_sum() const {
    double sum = 0;
    for (std::size_t t = 0; t < row_.tiles.size(); ++t) {
      const double least = totals_[t].centre - totals_[t].off;
      sum += row_.tiles[t].reach / row_.tiles[t].most * std::max(0.0, least);
    }
    return sum;
  }

  // P and the row sum hold the same weights, and err alike.
  [[nodiscard]] bool shares() const {
    return !rules_.p_before && (rules_.l_rounded || rules_.p_wide);
  }
  [[nodiscard]] const ReplayedWeight& weight_of(Index j) const {
    return row_.weights[static_cast<std::size_t>(j - first_)];
  }
  [[nodiscard]] double sum_at(std::size_t t, Index k) const {
    return sums_[t * static_cast<std::size_t>(d_v_) + static_cast<std::size_t>(k)];
  }
  [[nodiscard]] double unknown_at(std::size_t t, Index k) const {
    return unknown_[t * static_cast<std::size_t>(d_v_) + static_cast<std::size_t>(k)];
  }
  [[nodiscard]] double size_at(Index k) const { return size_[static_cast<std::size_t>(k)]; }

  const ReplayRules& rules_;
  Index d_v_;
  const Values& values_;
  Index first_;
  const ReplayedRow& row_;
  // Per tile and column, in the tile's own frame: sum of P v, and of P's distances |v|.
  std::vector<double> sums_;
  std::vector<double> unknown_;
  std::vector<double> size_;   // per column, in the last frame: sum of P |v| as the unit sees it
  std::vector<Known> totals_;  // per tile: its share of the row sum
  double operations_ = 0;
  double roundings_ = 0;     // of binary64, relative to sums of magnitudes
  double rescale_lost_ = 0;  // by underflowing rescale factors, over weights
  double row_sum_lost_ = 0;  // likewise of the row sum, and its own operations
  double gam_pv_ = 0;
  double gam_l_ = 0;
};

double without_store(const Budget& budget) {
  for (const BudgetTerm& term : budget.terms) {
    if (term.name == "output rounding") return budget.total - term.value;
  }
  return budget.total;
}

class HeadReplay {
 public:
  HeadReplay(const ForwardReplay& replay, Index b, Index h, const HeadScores& scores,
             TensorJudgement& result)
      : replay_(replay),
        b_(b),
        h_(h),
        scores_(scores),
        values_(read_values(replay, b, h / (replay.problem.heads_q / replay.problem.heads_k))),
        result_(result) {
    const Problem& p = replay.problem;
    if (!replay.rules.unit_dots) return;
    dots_.emplace(replay.rules.arithmetic.unit, p.in,
                  read_rows(replay.inputs.k.view(), b, h / (p.heads_q / p.heads_k), 0, p.n_k),
                  p.d_qk);
  }

  void judge_row(Index i) {
    const Problem& p = replay_.problem;
    const std::size_t row = row_index(p, b_, h_, i);
    const RowScores& scores = scores_.rows[static_cast<std::size_t>(i)];
    if (scores.first >= scores.end) return;
    if (replay_.answer.lse_class[row] != OutputClass::finite || !scores.known) return leave_row();
    const RowBudget budget = prepare_row(p, replay_.rules.arithmetic, replay_.answer.rows[row]);
    if (!budget.is_bounded()) return leave_row();
    std::vector<double> own;
    if (dots_) {
      own = dots_->of(read_rows(replay_.inputs.q.view(), b_, h_, i, 1), scores.first, scores.end);
    }
    const ReplayedRow replayed = replay_row(replay_.rules, scores_, i, own);
    if (!replayed.known) return leave_row();
    const RowReplay sums(replay_, values_, scores, replayed);
    if (!(sums.least_row_sum() > 0.25)) return leave_row();
    for (Index k = 0; k < p.d_v; ++k) judge_element(budget, sums, i, k);
  }

 private:
  void leave_row() { result_.left += replay_.problem.d_v; }

  void judge_element(const RowBudget& row_budget, const RowReplay& sums, Index i, Index k) {
    const Problem& p = replay_.problem;
    const std::size_t row = row_index(p, b_, h_, i);
    const std::size_t at = row * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
    const Answer& answer = replay_.answer;
    if (answer.o_class[at] != OutputClass::finite) return leave_element();
    const Budget free = budget_of_o(row_budget, answer.elements[at], answer.o[at]);
    if (free.unbounded != Unbounded::no) return leave_element();
    ElementJudgement e;
    double centre = 0;
    e.budget = sums.budget(k, answer.elements[at].sum_abs_v, centre);
    if (!std::isfinite(centre) || !std::isfinite(e.budget.total)) return leave_element();
    e.tensor = OutputTensor::o;
    e.b = b_;
    e.h = h_;
    e.i = i;
    e.k = k;
    e.bits = replay_.o.bits(b_, h_, i, k);
    e.format = replay_.o.format;
    e.observed = replay_.o.value(b_, h_, i, k);
    judge_replayed(e, centre, replay_.rules.o_store);
    result_.count_replayed(e, answer.rows[row], without_store(free));
  }

  void leave_element() { ++result_.left; }

  const ForwardReplay& replay_;
  Index b_;
  Index h_;
  const HeadScores& scores_;
  Values values_;
  TensorJudgement& result_;
  std::optional<UnitDots> dots_;
};

}  // namespace

void replay_o(const ForwardReplay& replay, Index b, Index h, const HeadScores& scores,
              TensorJudgement& result) {
  HeadReplay head(replay, b, h, scores, result);
  for (Index i = 0; i < replay.problem.n_q; ++i) head.judge_row(i);
}

}  // namespace attest
