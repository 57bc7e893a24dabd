#include "judge/replay_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/contract.hpp"

namespace attest {
namespace {

// Beyond, e^x - 1 <= x + x^2 says little, and a P that is so uncertain says nothing.
constexpr double kMostLogError = 0x1p-4;
// A weight that is sure to lie below e^-100 rounds to 0 in either 16-bit format.
constexpr double kNegligible = -100;
// Roundings of binary64 on the way to one exponential, of its argument and of its result.
constexpr double kExpRounding = 0x1p-50;
constexpr double kRounding = 0x1p-52;

// At least e^x - 1. Requires: 0 <= x <= 1.
double growth_of(double x) { return x + x * x; }

struct Score {
  double s = 0;
  double radius = 0;  // of the subject's own score, and of what its maximum is taken of
};

// What is meant to be exp(-below) is off by a factor e^y: |y| <= own in the frame of the subject's
// maximum, own + frame in that of the oracle's.
struct Distance {
  double below = 0;
  double own = 0;
  double frame = 0;
};

class Weigher {
 public:
  Weigher(const ReplayRules& rules, const HeadScores& scores, Index i, std::span<const double> own)
      : rules_(rules), row_(scores.row(i)) {
    ATTEST_EXPECTS(row_.known && row_.first < row_.end);
    for (const double x : own) {
      const double stored = rules.s_format ? round_to_format(*rules.s_format, x) : x;
      scores_.push_back(score_of(stored));
      if (rules.arguments) framed_.push_back(rules.arguments->framed(static_cast<float>(stored)));
    }
    if (!own.empty()) return;
    const double gam = gam_of_dot(rules.arithmetic, rules.d_qk, row_.products);
    for (Index j = row_.first; j < row_.end; ++j) {
      const std::size_t at = scores.at(i, j);
      scores_.push_back(score_of(scores.dot[at], scores.size[at], gam + scores.relative_radius));
    }
  }

  ReplayedWeights run() {
    cut_into_tiles();
    if (!set_factors()) return {};
    if (rules_.p_before && result_.tiles.size() > 1) return {};
    for (std::size_t t = 0; t < result_.tiles.size(); ++t) {
      for (Index j = result_.tiles[t].first; j < result_.tiles[t].end; ++j) {
        if (!weigh(is_known() ? known_weight(j, t) : distance_of_weight(at(j), maxima_[t]))) {
          return {};
        }
      }
    }
    result_.known = !rules_.p_before || divide();
    return std::move(result_);
  }

 private:
  Score score_of(double dot, double size, double relative) const {
    Score score{rules_.scale * dot, 0};
    const double abs_s = std::fabs(score.s);
    score.radius = rules_.scale * size * relative + rules_.score_absolute + abs_s * kRounding;
    score.radius += rules_.score_relative * (abs_s + score.radius);
    if (rules_.maximum_rounds) score.radius += kU * (1 + 8 * kU) * (abs_s + score.radius);
    return score;
  }

  // The same where the subject's own score is known.
  Score score_of(double own) const {
    Score score{rules_.scale * own, 0};
    const double abs_s = std::fabs(score.s);
    score.radius = abs_s * kRounding;
    if (rules_.maximum_rounds) score.radius += kU * (1 + 8 * kU) * (abs_s + score.radius);
    return score;
  }

  void cut_into_tiles() {
    const Index tile_k = rules_.arithmetic.tile_k;
    Score top{-std::numeric_limits<double>::infinity(), 0};
    for (Index first = row_.first; first < row_.end;) {
      ReplayedTile tile;
      tile.first = first;
      tile.end = std::min(row_.end, (first / tile_k + 1) * tile_k);
      double largest = top.s;
      for (Index j = tile.first; j < tile.end; ++j) largest = std::max(largest, at(j).s);
      // No score that may be the maximum is off by more than this beyond its distance from it.
      double radius = result_.tiles.empty() ? 0 : top.radius - (largest - top.s);
      for (Index j = tile.first; j < tile.end; ++j) {
        radius = std::max(radius, at(j).radius - (largest - at(j).s));
      }
      top = {largest, radius + std::fabs(largest) * kRounding};
      result_.tiles.push_back(tile);
      maxima_.push_back(top);
      if (is_known()) {
        const auto from = framed_.begin();
        tops_.push_back(*std::max_element(from, from + (tile.end - row_.first)));
      }
      first = tile.end;
    }
  }

  // What earlier tiles' sums are multiplied by on the way to the last frame.
  bool set_factors() {
    const auto tiles = static_cast<double>(result_.tiles.size());
    double below = 0;
    double log_error = 0;
    for (std::size_t t = result_.tiles.size(); t-- > 0;) {
      ReplayedTile& tile = result_.tiles[t];
      const double frame = is_known() ? 0 : maxima_[t].radius;
      const double rescale = log_error + below * tiles * kRounding + kExpRounding;
      if (!(rescale + frame <= kMostLogError)) return false;
      tile.reach = std::exp(-below);
      tile.frame_off = growth_of(frame);
      tile.rescale_off = growth_of(rescale);
      tile.most = (1 + tile.frame_off) * (1 + tile.rescale_off);
      result_.most = std::max(result_.most, tile.most);
      if (t == 0) break;
      const Distance rise = is_known() ? known(rules_.arguments->of_rise(tops_[t - 1], tops_[t]))
                                       : distance_of_rise(maxima_[t - 1], maxima_[t]);
      below += rise.below;
      log_error += rise.own;
    }
    return true;
  }

  [[nodiscard]] Distance distance_of_rise(const Score& before, const Score& after) const {
    const double rise = after.s - before.s;
    return {rise, rules_.per_exp + rules_.per_rise * (rise + after.radius + before.radius), 0};
  }

  [[nodiscard]] Distance distance_of_weight(const Score& score, const Score& top) const {
    const double gap = top.s - score.s;
    const double own = score.radius + rules_.per_gap * (gap + score.radius + top.radius) +
                       rules_.per_score * (std::fabs(score.s) + score.radius) +
                       rules_.per_shift * (std::fabs(top.s) + top.radius) + rules_.per_exp +
                       gap * kRounding + kExpRounding;
    return {gap, own, top.radius};
  }

  // exp2 of an argument that is known.
  [[nodiscard]] Distance known(float argument) const {
    const double below = -std::numbers::ln2 * static_cast<double>(argument);
    return {below, rules_.per_exp + std::fabs(below) * kRounding + kExpRounding, 0};
  }
  [[nodiscard]] Distance known_weight(Index j, std::size_t t) const {
    const float own = framed_[static_cast<std::size_t>(j - row_.first)];
    return known(rules_.arguments->of_weight(own, tops_[t]));
  }
  // Are all arguments (Corollary 35.1)?
  [[nodiscard]] bool is_known() const { return !framed_.empty(); }

  bool weigh(const Distance& d) {
    const double eta = rules_.arithmetic.eta_x;
    ReplayedWeight weight;
    const double both = d.own + d.frame;
    if (!(both <= kMostLogError && both - d.below <= kMostLogError)) {
      if (!(both - d.below <= kNegligible)) return false;
      weight.summed = Known{0, (std::exp(kNegligible) + eta) * result_.most};
      weight.stored = keeps_summed() ? weight.summed : store(0, std::exp(kNegligible) + eta);
    } else {
      const double p = std::exp(-d.below);
      weight.summed = Known{p, p * growth_of(d.own) + eta * result_.most};
      weight.stored = keeps_summed() ? weight.summed
                                     : store(p * (1 - both) - eta, p * (1 + growth_of(both)) + eta);
    }
    if (rules_.l_rounded) weight.summed = weight.stored;
    result_.weights.push_back(weight);
    return true;
  }

  // P divided by the row sum before it is stored: one tile, so the frame's error is common to both.
  bool divide() {
    const Resolved& a = rules_.arithmetic;
    double centre = 0;
    double off = 0;
    for (const ReplayedWeight& weight : result_.weights) {
      centre += weight.summed.centre;
      off += weight.summed.off;
    }
    const auto live = static_cast<double>(result_.weights.size());
    const double gam = gam_of_row_sum(a, static_cast<Index>(result_.weights.size()), 1);
    const double slack = 1 + (live + 8) * kRounding;
    off = (off + gam * (centre + off) + (a.ftz ? live * a.eta * result_.most : 0)) * slack +
          centre * (slack - 1);
    if (!(centre > 2 * off)) return false;
    for (ReplayedWeight& weight : result_.weights) {
      const Known p = weight.summed;
      const double least = std::max(0.0, p.centre - p.off) / (centre + off) * (1 - a.u_div);
      const double most = p.most() / (centre - off) * (1 + a.u_div);
      weight.stored = store(least * (1 - kExpRounding) - a.eta, most * (1 + kExpRounding) + a.eta);
    }
    return true;
  }

  [[nodiscard]] Known store(double least, double most) const {
    if (rules_.p_wide) return Known{least / 2 + most / 2, (most - least) * 0.5 * (1 + kRounding)};
    const RoundedSet set = rounded_set(std::max(0.0, least), most, rules_.p_store);
    return {set.centre(), set.half_width()};
  }

  // Before P V, P is what the row sum adds, or waits for the division by it.
  [[nodiscard]] bool keeps_summed() const { return rules_.p_wide || rules_.p_before; }

  [[nodiscard]] const Score& at(Index j) const {
    return scores_[static_cast<std::size_t>(j - row_.first)];
  }

  const ReplayRules& rules_;
  const RowScores& row_;
  std::vector<Score> scores_;
  std::vector<Score> maxima_;  // of the tiles
  std::vector<float> framed_;  // own scores as maxima are taken of them, if arguments are known
  std::vector<float> tops_;    // their maxima, likewise
  ReplayedWeights result_;
};

}  // namespace

ReplayedWeights replay_row(const ReplayRules& rules, const HeadScores& scores, Index i,
                           std::span<const double> own) {
  return Weigher(rules, scores, i, own).run();
}

}  // namespace attest
