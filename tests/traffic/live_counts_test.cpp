// Goal: what is counted by intervals is what the definition counts pair by pair.
#include "traffic/live_counts.hpp"

#include <gtest/gtest.h>

#include "oracle/mask.hpp"

namespace attest::live_counts_test {
namespace {

// Every band of widths -3 .. 4 and of none, both alignments, lengths on both sides.
std::vector<Problem> problems() {
  std::vector<Problem> all;
  const std::vector<Index> widths = {-3, -1, 0, 1, 4, kUnlimited};
  for (const Index left : widths) {
    for (const Index right : widths) {
      for (const Align align : {Align::top_left, Align::bottom_right}) {
        Problem p;
        p.batch = 3;
        p.heads_q = 2;
        p.n_q = 9;
        p.n_k = 7;
        p.lq = {9, 4, 8};
        p.lk = {5, 7, 0};
        p.left = left;
        p.right = right;
        p.align = align;
        all.push_back(p);
      }
    }
  }
  return all;
}

TEST(LiveCounts, AgreeWithTheDefinition) {
  for (const Problem& p : problems()) {
    Index pairs = 0;
    for (Index b = 0; b < p.batch; ++b) {
      for (Index first = 0; first < 8; ++first) {
        for (Index count = 1; count <= 6; ++count) {
          Index keys = 0, queries = 0;
          for (Index j = 0; j < p.n_k; ++j) {
            bool seen = false;
            for (Index i = first; i < std::min(first + count, p.n_q); ++i) {
              seen = seen || is_live(p, b, i, j);
            }
            keys += seen;
          }
          for (Index i = 0; i < p.n_q; ++i) {
            bool sees = false;
            for (Index j = first; j < std::min(first + count, p.n_k); ++j) {
              sees = sees || is_live(p, b, i, j);
            }
            queries += sees;
          }
          const Index low = keys_seen_of(p, b, first, count, -5, 8);
          ASSERT_EQ(low + keys_seen_of(p, b, first, count, 3, 9), keys);
          ASSERT_EQ(keys_seen(p, b, first, count), keys)
              << to_string(p) << ' ' << b << ' ' << first;
          ASSERT_EQ(queries_seeing(p, b, first, count), queries) << to_string(p) << ' ' << b;
        }
      }
      for (Index i = 0; i < p.n_q; ++i) {
        for (Index j = 0; j < p.n_k; ++j) pairs += is_live(p, b, i, j) ? p.heads_q : 0;
      }
    }
    EXPECT_EQ(live_pairs(p), pairs) << to_string(p);
  }
}

TEST(LiveCounts, StopAtTheLength) {
  Problem p;
  p.n_q = 100;
  p.lq = {70};
  EXPECT_EQ(rows_below_length(p, 0, 64, 64), 6);
  EXPECT_EQ(rows_below_length(p, 0, 0, 64), 64);
  EXPECT_EQ(rows_below_length(p, 0, 70, 64), 0);
  EXPECT_EQ(tiles_over(100, 64), 2);
  EXPECT_EQ(tiles_over(0, 64), 0);
}

}  // namespace
}  // namespace attest::live_counts_test
