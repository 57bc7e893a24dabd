// Goal: the kernels' ranges of keys and of queries say what the mask's definition says, pair by
// pair.
#include "kernels/attention/band.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/pairwise_softmax.hpp"

namespace attest::band_test {
namespace {

// Every band of small widths, both alignments, over small lengths.
template <class Visit>
void for_each_band(Visit visit) {
  constexpr Index widths[] = {-3, -1, 0, 1, 4, Index{1} << 40};
  for (const Index left : widths) {
    for (const Index right : widths) {
      for (const bool bottom_right : {false, true}) {
        for (const int lq : {0, 1, 4, 7}) {
          for (const int lk : {0, 1, 5, 9}) visit(Band{left, right, bottom_right}, lq, lk);
        }
      }
    }
  }
}

Problem problem_of(const Band& band, int lq, int lk) {
  Problem p;
  p.n_q = 10;
  p.n_k = 12;
  p.lq = {lq};
  p.lk = {lk};
  p.left = band.left;
  p.right = band.right;
  p.align = band.bottom_right ? Align::bottom_right : Align::top_left;
  return p;
}

TEST(Band, GivesARowTheKeysOfTheDefinition) {
  for_each_band([](const Band& band, int lq, int lk) {
    const Problem p = problem_of(band, lq, lk);
    for (int i = 0; i < p.n_q; ++i) {
      const KeyRange keys = band.of_row(i, lq, lk);
      for (int j = 0; j < p.n_k; ++j) {
        ASSERT_EQ(keys.holds(j), pair_is_live(p, 0, i, j))
            << to_string(p) << " i=" << i << " j=" << j;
      }
    }
  });
}

TEST(Band, GivesATileOfRowsWhatAnyOfThemSees) {
  for_each_band([](const Band& band, int lq, int lk) {
    const Problem p = problem_of(band, lq, lk);
    for (const int rows : {1, 3, 16}) {
      for (int first = 0; first < p.n_q; ++first) {
        const KeyRange keys = band.of_rows(first, rows, lq, lk);
        if (keys.empty()) {
          ASSERT_EQ(keys.last, 0) << to_string(p) << " first=" << first;
        }
        for (int j = 0; j < p.n_k; ++j) {
          bool seen = false;
          for (int i = first; i < first + rows; ++i) seen = seen || pair_is_live(p, 0, i, j);
          ASSERT_EQ(keys.holds(j), seen)
              << to_string(p) << " first=" << first << " rows=" << rows << " j=" << j;
        }
      }
    }
  });
}

TEST(Band, GivesAKeyAndATileOfKeysTheRowsThatSeeThem) {
  for_each_band([](const Band& band, int lq, int lk) {
    const Problem p = problem_of(band, lq, lk);
    for (const int keys : {1, 3, 16}) {
      for (int first = 0; first < p.n_k; ++first) {
        const QueryRange rows =
            keys == 1 ? band.of_key(first, lq, lk) : band.of_keys(first, keys, lq, lk);
        if (keys != 1 && rows.empty()) {
          ASSERT_EQ(rows.last, 0) << to_string(p) << " first=" << first;
        }
        for (int i = 0; i < p.n_q; ++i) {
          bool sees = false;
          for (int j = first; j < first + keys; ++j) sees = sees || pair_is_live(p, 0, i, j);
          ASSERT_EQ(rows.holds(i), sees)
              << to_string(p) << " first=" << first << " keys=" << keys << " i=" << i;
        }
      }
    }
  });
}

TEST(Band, SurvivesTheLargestShapes) {
  constexpr int kMost = 1 << 30;
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  const Band full{kFar, kFar, true};
  EXPECT_EQ(full.of_row(kMost - 1, kMost, kMost).last, kMost);
  EXPECT_EQ(full.of_row(0, kMost, 1).last, 1);
  const Band causal{kFar, 0, true};
  EXPECT_TRUE(causal.of_row(0, kMost, 1).empty());
  EXPECT_EQ(causal.of_key(0, kMost, 1).first, kMost - 1);
  EXPECT_EQ(full.of_keys(kMost - 64, 64, kMost, kMost).last, kMost);
  EXPECT_EQ(causal.of_row(kMost - 1, kMost, 1).last, 1);
  const Band nothing{-kFar, -kFar, false};
  EXPECT_TRUE(nothing.of_rows(0, 64, kMost, kMost).empty());
}

}  // namespace
}  // namespace attest::band_test
