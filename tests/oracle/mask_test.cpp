// Goal: liveness is the definition of core/problem.hpp, pair by pair, at every edge a band can
// have.
#include "oracle/mask.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/oracle/arb_oracle.hpp"

namespace attest::mask_test {
namespace {

Problem square(Index n_q, Index n_k) {
  Problem p;
  p.n_q = n_q;
  p.n_k = n_k;
  return p;
}

// One character per key of row i: '#' live, '.' not.
std::string picture(const Problem& p, Index i) {
  std::string row;
  for (Index j = 0; j < p.n_k; ++j) row += is_live(p, 0, i, j) ? '#' : '.';
  return row;
}

TEST(Mask, LetsEverythingThroughWithoutABand) {
  EXPECT_EQ(picture(square(2, 4), 0), "####");
  EXPECT_EQ(picture(square(2, 4), 1), "####");
}

TEST(Mask, AlignsACausalBandWithEitherCorner) {
  Problem p = square(2, 4);
  p.right = 0;
  p.align = Align::bottom_right;
  EXPECT_EQ(picture(p, 0), "###.");
  EXPECT_EQ(picture(p, 1), "####");
  p.align = Align::top_left;
  EXPECT_EQ(picture(p, 0), "#...");
  EXPECT_EQ(picture(p, 1), "##..");
}

TEST(Mask, LeavesEarlyRowsDeadWhenThereAreMoreQueriesThanKeys) {
  Problem p = square(4, 2);
  p.right = 0;
  EXPECT_EQ(picture(p, 0), "..");
  EXPECT_EQ(picture(p, 1), "..");
  EXPECT_EQ(picture(p, 2), "#.");
  EXPECT_EQ(picture(p, 3), "##");
}

TEST(Mask, TakesNegativeWidthsAsAnOffDiagonalBand) {
  Problem p = square(4, 4);
  p.left = -1;
  p.right = 2;
  EXPECT_EQ(picture(p, 0), ".##.");
  EXPECT_EQ(picture(p, 3), "....");
  p.left = 2;
  p.right = -1;
  EXPECT_EQ(picture(p, 0), "....");
  EXPECT_EQ(picture(p, 3), ".##.");
  p.left = -2;  // nothing lies between i + 2 and i + 1
  p.right = 1;
  EXPECT_EQ(picture(p, 0), "....");
}

TEST(Mask, AlignsTheBottomRightCornerOfTheLengthsNotOfTheBuffer) {
  Problem p = square(4, 6);
  p.lq = {2};
  p.lk = {3};
  p.right = 0;
  EXPECT_EQ(picture(p, 0), "##....");
  EXPECT_EQ(picture(p, 1), "###...");
  EXPECT_EQ(picture(p, 2), "......");
}

// The second oracle's closed form and the definition are two derivations of one band.
TEST(Mask, EqualsAnIntervalInClosedFormOnEverySmallProblem) {
  const Index widths[] = {-4, -1, 0, 1, 3, kUnlimited};
  Index pairs = 0;
  for (Index lq = 0; lq <= 4; ++lq) {
    for (Index lk = 0; lk <= 5; ++lk) {
      for (const Index left : widths) {
        for (const Index right : widths) {
          for (const Align align : {Align::top_left, Align::bottom_right}) {
            Problem p = square(4, 5);
            p.lq = {lq};
            p.lk = {lk};
            p.left = left;
            p.right = right;
            p.align = align;
            for (Index i = 0; i < lq; ++i) {
              const VisibleKeys keys = visible_keys(p, 0, i);
              for (Index j = 0; j < p.n_k; ++j, ++pairs) {
                ASSERT_EQ(is_live(p, 0, i, j), keys.first <= j && j <= keys.last)
                    << to_string(p) << " i=" << i << " j=" << j;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(pairs, (1 + 2 + 3 + 4) * 6 * 36 * 2 * 5);
}

TEST(Mask, GivesARowsLiveKeysAsOneRange) {
  const Index widths[] = {-kUnlimited, -9, -2, 0, 1, 3, 9, kUnlimited};
  for (Index n_q = 1; n_q <= 5; ++n_q) {
    for (Index n_k = 0; n_k <= 5; ++n_k) {
      for (const Index left : widths) {
        for (const Index right : widths) {
          for (const Align align : {Align::top_left, Align::bottom_right}) {
            Problem p = square(n_q, n_k);
            p.left = left;
            p.right = right;
            p.align = align;
            p.lq = {(n_q + 1) / 2};
            p.lk = {n_k - n_k / 3};
            for (Index i = 0; i < n_q; ++i) {
              const KeyRange live = live_range(p, 0, i);
              for (Index j = -1; j <= n_k; ++j) {
                EXPECT_EQ(live.first <= j && j < live.end, is_live(p, 0, i, j)) << i << ' ' << j;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace attest::mask_test
