// Goal: whoever declines is told why in one line, with each frequent reason and its count.
#include "harness/report/declined_text.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

std::string text_of(const std::map<std::string, Index>& reasons) {
  Tally tally;
  for (const auto& [reason, count] : reasons) tally.unsupported["choosy"] += count;
  tally.reasons["choosy"] = reasons;
  return declined_text(tally, "choosy");
}

TEST(DeclinedText, HasNoCountsWhereThereIsOneReason) {
  EXPECT_EQ(text_of({{"no backward", 1}}), "declined 1 case: no backward");
  EXPECT_EQ(text_of({{"no backward", 12}}), "declined 12 cases: no backward");
}

TEST(DeclinedText, NamesTheMostFrequentFirst) {
  EXPECT_EQ(text_of({{"a", 2}, {"b", 9}, {"c", 4}}), "declined 15 cases: 9 b, 4 c, 2 a");
}

TEST(DeclinedText, NamesThreeOfManyAndCountsTheOthers) {
  EXPECT_EQ(text_of({{"a", 2}, {"b", 9}, {"c", 4}, {"d", 1}}),
            "declined 16 cases: 9 b, 4 c, 2 a, 1 d");
  EXPECT_EQ(text_of({{"a", 2}, {"b", 9}, {"c", 4}, {"d", 1}, {"e", 1}}),
            "declined 17 cases: 9 b, 4 c, 2 a, 2 for 2 other reasons");
}

}  // namespace
}  // namespace attest
