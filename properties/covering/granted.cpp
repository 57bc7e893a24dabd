#include "properties/covering/granted.hpp"

#include <algorithm>
#include <vector>

namespace attest {
namespace {

constexpr Index kTile = 16;
constexpr Index kRaggedDims[] = {1, 2, 3, 5, 17, 33, 63};
constexpr Index kEightsDims[] = {8, 8, 24, 40, 56};
constexpr Index kSixteensDims[] = {16, 32, 48, 64};
constexpr Index kWideDims[] = {72, 80, 100, 128, 129, 256};

// Nothing where the wish is open or met.
class Asked {
 public:
  Asked(const Features& wish, const Problem& p) : wish_(wish), now_(features_of(p)) {}
  bool operator()(Parameter parameter) const {
    return wish_[parameter] != kOpen && wish_[parameter] != now_[parameter];
  }

 private:
  const Features& wish_;
  Features now_;
};

Index of_class(Index count, std::int8_t wanted) {
  if (wanted == kZero || wanted == kSingle) return wanted;
  count = std::max(count, Index{2});
  while (count_class(count) != wanted) ++count;
  return count;
}

void grant_band(int band, Dice& dice, Problem& p) {
  p.left = p.right = kUnlimited;
  if (band == kCausalBand) {
    p.right = 0;
  } else if (band == kWindowBand) {
    p.left = draw_reach(dice);
    p.right = dice.one_in(2) ? 0 : draw_reach(dice);
  } else if (band == kOneSidedBand) {
    (dice.one_in(3) ? p.right : p.left) = dice.between(1, 40);
  } else if (band == kNegativeBand) {
    (dice.one_in(2) ? p.right : p.left) = -dice.between(1, 5);
  }
}

void grant_heads(const Asked& asked, const Features& wish, Dice& dice, Problem& p) {
  if (asked(kBatch)) p.batch = wish[kBatch] == 0 ? 1 : dice.between(2, 3);
  if (!asked(kGroup)) return;
  p.heads_k = dice.one_in(3) ? 2 : 1;
  p.heads_q = p.heads_k * (wish[kGroup] + 1);
}

// Of long rows most have three tiles of the widest kernels, from which on much of their arithmetic
// happens.
void grant_keys(const Features& wish, Dice& dice, Problem& p) {
  if (wish[kReach] == 1 && p.n_k <= kOneReach) {
    p.n_k = dice.one_in(5) ? dice.between(65, 128) : dice.between(145, 272);
  }
  if (wish[kReach] == 0) p.n_k = std::min(p.n_k, kOneReach);
  if (wish[kKeys] != kOpen) p.n_k = of_class(p.n_k, wish[kKeys]);
  if (wish[kReach] == 0 && p.n_k > kOneReach) p.n_k -= kTile;
}

void grant_dims(const Asked& asked, const Features& wish, Dice& dice, Problem& p) {
  if (asked(kDim)) {
    if (wish[kDim] == kRagged) p.d_qk = dice.pick(kRaggedDims);
    if (wish[kDim] == kEights) p.d_qk = dice.pick(kEightsDims);
    if (wish[kDim] == kSixteens) p.d_qk = dice.pick(kSixteensDims);
    if (wish[kDim] == kWide) p.d_qk = dice.pick(kWideDims);
  }
  if (wish[kValueDim] == 0) p.d_v = p.d_qk;
  if (wish[kValueDim] == 1 && p.d_v == p.d_qk) p.d_v = p.d_qk == 64 ? 40 : 64;
}

void grant_lengths(const Features& wish, Dice& dice, Problem& p) {
  const std::int8_t which = wish[kLengths];
  const auto fitting = [&](std::vector<Index>& lengths, bool wanted, Index full) {
    if (!wanted) {
      lengths.clear();
    } else if (static_cast<Index>(lengths.size()) != p.batch) {
      lengths = draw_lengths(dice, p.batch, full);
    }
  };
  const bool open = which == kOpen;
  fitting(p.lq, open ? !p.lq.empty() : which == kQueryLengths || which == kBothLengths, p.n_q);
  fitting(p.lk, open ? !p.lk.empty() : which == kKeyLengths || which == kBothLengths, p.n_k);
}

void use_least_dims(Problem& p) {
  constexpr Index kLeast[] = {3, 8, 16, 72};
  const bool same = p.d_v == p.d_qk;
  p.d_qk = std::min(p.d_qk, kLeast[features_of(p)[kDim]]);
  p.d_v = same ? p.d_qk : p.d_qk == 16 ? 24 : 16;
}

// Rows go by whole tiles, so that what is left of the last one stays.
void shrink(const Features& wish, Index limit, Problem& p) {
  while (work_of(p) > limit && p.n_q > kTile + 1) p.n_q -= kTile;
  if (work_of(p) > limit) p.batch = std::min(p.batch, Index{2});
  if (work_of(p) > limit) {
    p.heads_q /= p.heads_k;
    p.heads_k = 1;
  }
  if (work_of(p) > limit) use_least_dims(p);
  const Index least_keys = wish[kReach] == 1 ? kOneReach + kTile : 2 * kTile;
  while (work_of(p) > limit && p.n_k > least_keys) p.n_k -= kTile;
}

}  // namespace

void grant(const Features& wish, Dice& dice, Problem& p) {
  if (wish == all_open()) return;
  const Asked asked(wish, p);
  if (asked(kOutput)) p.out = wish[kOutput] == 0 ? p.in : Format::f32;
  if (asked(kBand)) grant_band(wish[kBand], dice, p);
  if (asked(kAlignment)) p.align = wish[kAlignment] == 0 ? Align::top_left : Align::bottom_right;
  grant_heads(asked, wish, dice, p);
  if (asked(kQueries)) p.n_q = of_class(p.n_q, wish[kQueries]);
  grant_keys(wish, dice, p);
  grant_dims(asked, wish, dice, p);
  grant_lengths(wish, dice, p);
}

bool grant_within(const Features& wish, Index limit, Dice& dice, Problem& p) {
  if (wish == all_open()) return false;
  const Problem before = p;
  grant(wish, dice, p);
  shrink(wish, limit, p);
  const auto settle = [&](std::vector<Index>& lengths, Index full) {
    if (!lengths.empty()) lengths.resize(static_cast<std::size_t>(p.batch));
    for (Index& length : lengths) length = std::min(length, full);
  };
  settle(p.lq, p.n_q);
  settle(p.lk, p.n_k);
  return p != before;
}

}  // namespace attest
