// Goal: RapidCheck draws our cases, shrinks them our way down to our string, and stops in time.
#include "properties/rapidcheck_bridge.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace attest::rapidcheck_bridge_test {
namespace {

TEST(RapidcheckBridge, DrawsEveryFamilyOfThePassInBothFormats) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    std::set<std::pair<std::string, Format>> seen;
    const CaseCheckResult result =
        check_cases({.seed = 3, .cases = 400, .pass = pass}, [&](const Case& c) {
          seen.insert({std::get<FamilyData>(c.data).family, c.problem.in});
          return c.problem.pass == pass;
        });
    EXPECT_TRUE(result.holds) << result.message;
    EXPECT_EQ(result.checked, 400);
    EXPECT_EQ(seen.size(), 2 * families_of(pass).size());
  }
}

TEST(RapidcheckBridge, IsDeterministicForASeed) {
  const auto texts = [] {
    std::vector<std::string> list;
    (void)check_cases({.seed = 5, .cases = 20}, [&](const Case& c) {
      list.push_back(to_string(c));
      return true;
    });
    return list;
  };
  EXPECT_EQ(texts(), texts());
}

TEST(RapidcheckBridge, ShrinksToAMinimumThatTheMessageReplays) {
  const CaseCheckResult result =
      check_cases({.seed = 1, .cases = 100}, [](const Case& c) { return c.problem.n_k <= 32; });
  EXPECT_FALSE(result.holds);
  EXPECT_NE(result.message.find("attest1:b=1;hq=1;hk=1;nq=0;nk=33;dqk=1;dv=1;"), std::string::npos)
      << result.message;
}

TEST(RapidcheckBridge, StopsAtItsLimitAndSaysHowManyWereChecked) {
  const auto start = std::chrono::steady_clock::now();
  const CaseCheckResult result = check_cases(
      {.seed = 1, .cases = 100'000, .limit = std::chrono::milliseconds(60)}, [](const Case&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return true;
      });
  EXPECT_TRUE(result.holds);
  EXPECT_GE(result.checked, 1);
  EXPECT_LE(result.checked, 12);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace attest::rapidcheck_bridge_test
