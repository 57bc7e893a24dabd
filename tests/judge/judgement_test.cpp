// Goal: judgements of several runs of one problem add up: counts, what is open, and the one element
// that is worth showing.
#include "judge/judgement.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Judgement judged(Verdict verdict, double ratio, std::vector<std::size_t> undecided_rows) {
  ElementJudgement e;
  e.tensor = OutputTensor::dk;
  e.verdict = verdict;
  e.ratio = ratio;
  Judgement judgement;
  judgement.dk.count(e, {}, 53);
  judgement.undecided_rows = std::move(undecided_rows);
  judgement.open.push_back({true, 3, ratio, 1});
  judgement.assumed = {"order"};
  return judgement;
}

TEST(Judgement, AddsUpWithAnother) {
  Judgement sum = judged(Verdict::accept, 0.5, {1, 4});
  sum.add(judged(Verdict::undecided, 0.25, {0, 4, 9}));
  EXPECT_EQ(sum.judged(), 2);
  EXPECT_EQ(sum.verdict(), Verdict::undecided);
  EXPECT_EQ(sum.dk.accepted, 1);
  EXPECT_EQ(sum.dk.undecided, 1);
  EXPECT_EQ(sum.dk.worst_ratio, 0.5);
  EXPECT_EQ(sum.undecided_rows, (std::vector<std::size_t>{0, 1, 4, 9}));
  EXPECT_EQ(sum.open.size(), 2U);
  EXPECT_EQ(sum.assumed, std::vector<std::string>{"order"});
  ASSERT_NE(sum.worst(), nullptr);
  EXPECT_EQ(sum.worst()->ratio, 0.25);
  sum.add(judged(Verdict::reject, 2, {}));
  EXPECT_EQ(sum.verdict(), Verdict::reject);
  EXPECT_EQ(sum.worst()->ratio, 2);
  sum.add(judged(Verdict::accept, 3, {}));
  EXPECT_EQ(sum.worst()->ratio, 2);
}

TEST(Judgement, AddedToNothingIsItself) {
  Judgement sum;
  sum.add(judged(Verdict::reject, 2, {7}));
  EXPECT_EQ(sum.judged(), 1);
  EXPECT_EQ(sum.undecided_rows, std::vector<std::size_t>{7});
  EXPECT_EQ(sum.o.judged, 0);
  EXPECT_FALSE(sum.o.worst.has_value());
}

}  // namespace
}  // namespace attest
