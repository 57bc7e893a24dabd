// Goal: what options say is read as it is meant, or refused.
#include "harness/cli/options.hpp"

#include <gtest/gtest.h>

#include "harness/campaign/check_case.hpp"
#include "tests/core/refusal.hpp"

namespace attest::options_test {
namespace {

using std::chrono::seconds;

TEST(TimeOption, ReadsSecondsMinutesAndHours) {
  EXPECT_EQ(parse_time("--budget", "90"), seconds(90));
  EXPECT_EQ(parse_time("--budget", "90s"), seconds(90));
  EXPECT_EQ(parse_time("--budget", "30m"), seconds(1800));
  EXPECT_EQ(parse_time("--budget", "2h"), seconds(7200));
  EXPECT_EQ(parse_time("--budget", "8760h"), seconds(365LL * 24 * 3600));
}

TEST(TimeOption, RefusesWhatIsNoTime) {
  for (const char* text : {"", "s", "5x", "5 m", "1.5h", "-1", "0", "0s", "5ms", "8761h", "1e3",
                           "99999999999999999999", "9223372036854775807h"}) {
    const Refusal refusal = refusal_of([&] { (void)parse_time("--patience", text); });
    EXPECT_TRUE(refusal.says("--patience '" + std::string(text) + "'")) << text;
    EXPECT_EQ(refusal.blame, Blame::usage);
  }
}

TEST(SeedOption, ReadsAllOfSixtyFourBits) {
  EXPECT_EQ(parse_seed("0"), 0U);
  EXPECT_EQ(parse_seed("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_NE(parse_seed("auto"), parse_seed("auto"));
}

TEST(SeedOption, RefusesWhatIsNoSeed) {
  for (const char* text : {"", "x", "-1", "+1", "0x10", "1 ", "18446744073709551616", "Auto"}) {
    EXPECT_TRUE(refusal_of([&] { (void)parse_seed(text); }).says("--seed")) << text;
  }
}

TEST(ScheduleSeedOption, ReadsAllOfSixtyFourBitsAndNothingElse) {
  EXPECT_EQ(parse_schedule_seed("18446744073709551615"), ~std::uint64_t{0});
  for (const char* text : {"", "x", "-1", "1 ", "18446744073709551616", "auto"}) {
    EXPECT_TRUE(refusal_of([&] { (void)parse_schedule_seed(text); }).says("--schedule-seed"))
        << text;
  }
}

TEST(PassOption, IsOneOfThreeWords) {
  EXPECT_EQ(parse_passes("fwd"), std::vector{Pass::fwd});
  EXPECT_EQ(parse_passes("bwd"), std::vector{Pass::bwd});
  EXPECT_EQ(parse_passes("both"), (std::vector{Pass::fwd, Pass::bwd}));
  for (const char* text : {"", "Fwd", "fwd,bwd", "all"}) {
    const Refusal refusal = refusal_of([&] { (void)parse_passes(text); });
    EXPECT_EQ(refusal.blame, Blame::usage);
    EXPECT_TRUE(refusal.says("'" + std::string(text) + "'; known: fwd, bwd, both"))
        << refusal.message;
  }
}

TEST(UnitOption, TakesNamesAndAliases) {
  EXPECT_EQ(parse_units({}), emulated_units());
  EXPECT_EQ(parse_units({"h100", "fp32-seq"}), (std::vector<Unit>{Unit::h100, Unit::fp32_seq}));
  EXPECT_EQ(parse_units({"ada", "b200"}), (std::vector<Unit>{Unit::a100, Unit::h100}));
  EXPECT_TRUE(refusal_of([] { (void)parse_units({"h100", "tpu"}); }).says("unknown unit 'tpu'"));
}

}  // namespace
}  // namespace attest::options_test
