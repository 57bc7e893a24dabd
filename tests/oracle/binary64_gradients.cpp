#include "tests/oracle/binary64_gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/enclose_gradients_in_binary64.hpp"

namespace attest {
namespace {

constexpr double kUnderflow = 0x1p-900;

// No smaller than the sharper bound, so that no budget is, and larger by the excess at most.
void expect_between(const char* what, double loose, double sharp, double excess) {
  EXPECT_GE(loose, sharp) << what;
  EXPECT_LE(loose, sharp + excess + kUnderflow) << what;
}

void expect_pair(const Pair& loose, const Pair& sharp, const PairExcess& excess) {
  const double share = excess.relative;
  EXPECT_EQ(loose.j, sharp.j);
  EXPECT_EQ(loose.products, sharp.products);
  expect_between("pi", loose.pi, sharp.pi, share * loose.pi);
  expect_between("a", loose.a, sharp.a, share * loose.a);
  expect_between("score", loose.abs_score, sharp.abs_score, share * loose.abs_score + excess.score);
  expect_between("log pi", loose.abs_log_pi, sharp.abs_log_pi,
                 share * loose.abs_log_pi + excess.score);
  if (loose.g == INFINITY) {
    EXPECT_EQ(sharp.g, INFINITY);
    return;
  }
  expect_between("g", loose.g, sharp.g, share * loose.g);
  expect_between("floors", loose.g_floor, sharp.g_floor, share * loose.g_floor);
  expect_between("dP", loose.abs_dp, sharp.abs_dp, share * (loose.abs_dp + loose.g));
  expect_between("dP - D", loose.abs_dp_less_d, sharp.abs_dp_less_d,
                 share * (loose.abs_dp_less_d + loose.g) + excess.d);
}

void expect_row(const BackwardRow& loose, const BackwardRow& sharp) {
  EXPECT_TRUE(loose.sharp);
  EXPECT_EQ(loose.score_products, sharp.score_products);
  EXPECT_GE(loose.max_abs_dot, sharp.max_abs_dot);
  EXPECT_TRUE(loose.lse.lo <= sharp.lse.lo && sharp.lse.hi <= loose.lse.hi);
  EXPECT_TRUE(loose.d.lo <= sharp.d.lo && sharp.d.hi <= loose.d.hi)
      << loose.d.lo << ' ' << sharp.d.lo;
  for (std::size_t c = 0; c < sharp.mean_key.size(); ++c) {
    expect_between("mean key", loose.mean_key[c], sharp.mean_key[c],
                   loose.excess.relative * loose.mean_key[c] + loose.excess.mean_key);
  }
  if (sharp.sum_abs_dout_o == INFINITY) return;
  expect_between("sum |dO O|", loose.sum_abs_dout_o, sharp.sum_abs_dout_o,
                 loose.excess.relative * loose.sum_abs_dout_o + loose.excess.dout_o);
}

Index compare_values(const GradientAnswer& loose, const GradientAnswer& sharp, const char* what) {
  EXPECT_EQ(loose.classes, sharp.classes) << what;
  for (std::size_t e = 0; e < sharp.values.size(); ++e) {
    EXPECT_TRUE(loose.values[e].lo <= sharp.values[e].lo &&
                sharp.values[e].hi <= loose.values[e].hi)
        << what << ' ' << e << ": [" << loose.values[e].lo << ", " << loose.values[e].hi
        << "] does not hold [" << sharp.values[e].lo << ", " << sharp.values[e].hi << ']';
    if (::testing::Test::HasFailure()) break;
  }
  return static_cast<Index>(sharp.values.size());
}

}  // namespace

void GradientComparison::compare(const Problem& problem, const Inputs& inputs,
                                 const Answer& forward,
                                 const std::optional<StoredForward>& stored) {
  const BackwardAnswer sharp = enclose_backward(problem, inputs, stored);
  const BackwardAnswer loose = enclose_gradients_in_binary64(problem, inputs, forward, stored);
  elements += compare_values(loose.dq, sharp.dq, "dq");
  elements += compare_values(loose.dk, sharp.dk, "dk");
  elements += compare_values(loose.dv, sharp.dv, "dv");
  std::vector<Pair> room;
  for (std::size_t row = 0; row < sharp.rows.size() && !::testing::Test::HasFailure(); ++row) {
    const auto made = loose.pairs_of(row, room);
    const std::vector<Pair>& kept = sharp.rows[row].pairs;
    ASSERT_EQ(made.size(), kept.size());
    if (!loose.rows[row].loose) continue;
    ++loose_rows;
    expect_row(loose.rows[row], sharp.rows[row]);
    for (std::size_t n = 0; n < kept.size(); ++n, ++pairs) {
      expect_pair(made[n], kept[n], loose.rows[row].excess);
    }
    EXPECT_EQ(loose.pair_of(row, kept.back().j).pi, made.back().pi);
  }
  double size = 0;
  double width = 0;
  for (const Enclosure& e : loose.dv.values) {
    size = std::max(size, std::fabs(e.hi));
    width = std::max(width, e.hi - e.lo);
  }
  if (size > 0 && loose_rows > 0) widest = std::max(widest, width / size);
}

}  // namespace attest
