// Goal: two oracles written apart agree on thousands of rows, both are narrow, and a mask that is
// wrong by one key is caught by the very same comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/oracle/arb_oracle.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::agreement_test {
namespace {

// What became of a set of rows when the two oracles were laid side by side.
struct Comparison {
  Index rows = 0;      // with a live key in both
  Index elements = 0;  // of O in those rows
  Index dead = 0;      // without a live key in either
  Index apart = 0;     // rows in which the oracles contradict each other
  Index wide = 0;      // rows in which an enclosure of either is too wide
};

// Of binary64's smallest: where V is zero but for keys with weights near e^-740, ends have no more.
constexpr double kFewSteps = 0x1p-1070;

double width(Enclosure e) { return e.hi - e.lo; }

// Compares one row with a live key. sum pi |v| is the first oracle's own, an upper bound that
// moments_test holds to within 2^-30.
void compare_row(const Answer& answer, std::size_t row, const ArbRow& arb, Comparison& result) {
  const Enclosure lse = answer.lse[row];
  const Enclosure arb_lse = arb.lse.ends();
  const double lse_size = std::max(1.0, std::fabs(arb_lse.hi));
  bool apart = is_outside(arb.lse, lse);
  bool wide = std::max(width(lse), width(arb_lse)) > 0x1p-40 * lse_size;
  for (std::size_t k = 0; k < arb.o.size(); ++k) {
    const std::size_t e = row * arb.o.size() + k;
    const Enclosure o = arb.o[k].ends();
    apart = apart || is_outside(arb.o[k], answer.o[e]);
    const double narrow = std::max(0x1p-40 * answer.elements[e].sum_pi_abs_v, kFewSteps);
    wide = wide || std::max(width(answer.o[e]), width(o)) > narrow;
    ++result.elements;
  }
  ++result.rows;
  result.apart += apart;
  result.wide += wide;
}

void compare_case(const DrawnCase& drawn, const MaskRule& mask, Comparison& result) {
  const Problem& p = drawn.problem;
  const Answer answer = enclose_forward(p, drawn.inputs);
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.live_queries(b); ++i) {
        const std::size_t row = row_index(p, b, h, i);
        const ArbRow arb = arb_row(p, drawn.inputs, b, h, i, mask);
        const bool dead = answer.lse_class[row] == OutputClass::dead;
        if (dead != (arb.keys.size() == 0)) {
          ++result.apart;
        } else if (dead) {
          ++result.dead;
        } else {
          ASSERT_EQ(answer.lse_class[row], OutputClass::finite);
          compare_row(answer, row, arb, result);
        }
      }
    }
  }
}

constexpr std::uint64_t kCases = 640;

TEST(TwoOracles, MeetAndAreNarrowOnThousandsOfRows) {
  Comparison all;
  std::array<Index, kValueKinds> rows_of_kind{};
  std::array<Index, 4> rows_of_format{};
  for (std::uint64_t index = 0; index < kCases; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    const Comparison before = all;
    compare_case(drawn, visible_keys, all);
    ASSERT_EQ(all.apart, 0) << to_string(drawn.problem) << " case " << index;
    ASSERT_EQ(all.wide, 0) << to_string(drawn.problem) << " case " << index;
    rows_of_kind[static_cast<std::size_t>(drawn.kind)] += all.rows - before.rows;
    rows_of_format[static_cast<std::size_t>(drawn.problem.in)] += all.rows - before.rows;
  }
  std::printf("%ld rows with a live key, %ld elements, %ld dead rows\n", long(all.rows),
              long(all.elements), long(all.dead));
  EXPECT_GE(all.rows, 5000);
  EXPECT_GE(all.dead, 500);
  for (const Index rows : rows_of_kind) EXPECT_GE(rows, 400);
  for (const Index rows : rows_of_format) EXPECT_GE(rows, 1000);
}

// Their values are coarse: many are equal, cancel or round to zero.
TEST(TwoOracles, MeetOnFormatsOfEightBitsAndTf32) {
  for (const Format format : {Format::tf32, Format::e4m3, Format::e5m2}) {
    Comparison all;
    for (std::uint64_t index = 0; index < 160; ++index) {
      const DrawnCase drawn = draw_oracle_case(index, format);
      compare_case(drawn, visible_keys, all);
      ASSERT_EQ(all.apart, 0) << to_string(drawn.problem) << " case " << index;
      ASSERT_EQ(all.wide, 0) << to_string(drawn.problem) << " case " << index;
    }
    EXPECT_GE(all.rows, 1000) << shape_of(format).name;
  }
}

// Rows of the drawn cases in which the comparison contradicts an Arb oracle with this mask.
Index rows_apart(const MaskRule& mask) {
  Comparison result;
  for (std::uint64_t index = 0; index < 32; ++index) {
    compare_case(draw_oracle_case(index), mask, result);
  }
  return result.apart;
}

TEST(TwoOracles, CatchAMaskWhoseRightEdgeIsOneKeyTooFar) {
  EXPECT_GT(rows_apart([](const Problem& p, Index b, Index i) {
              VisibleKeys keys = visible_keys(p, b, i);
              if (keys.size() > 0) keys.last = std::min(keys.last + 1, p.live_keys(b) - 1);
              return keys;
            }),
            0);
}

TEST(TwoOracles, CatchAMaskThatLosesItsFirstKey) {
  EXPECT_GT(rows_apart([](const Problem& p, Index b, Index i) {
              VisibleKeys keys = visible_keys(p, b, i);
              ++keys.first;
              return keys;
            }),
            0);
}

TEST(TwoOracles, CatchABandAlignedWithTheWrongCorner) {
  EXPECT_GT(rows_apart([](const Problem& p, Index b, Index i) {
              Problem other = p;
              other.align = p.align == Align::top_left ? Align::bottom_right : Align::top_left;
              return visible_keys(other, b, i);
            }),
            0);
}

TEST(TwoOracles, CatchAMaskThatForgetsTheLengths) {
  EXPECT_GT(rows_apart([](const Problem& p, Index b, Index i) {
              Problem other = p;
              other.lk.clear();
              return visible_keys(other, b, i);
            }),
            0);
}

}  // namespace
}  // namespace attest::agreement_test
