// Goal: a plug-in that was built against the first version of the interface is loaded and accepted
// for as long as the major version stands.
#include <gtest/gtest.h>

#include "fixtures/sha256.hpp"
#include "harness/subjects/include/attest/subject.h"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::frozen_version_test {
namespace {

constexpr char kFolder[] = ATTEST_SOURCE_DIR "/tests/harness/subjects/frozen/";

TEST(FrozenVersion, IsWhatItWas) {
  ASSERT_EQ(ATTEST_ABI_MAJOR, 1U) << "freeze a library of the new version beside the old one";
  EXPECT_EQ(sha256_of_file(std::string(kFolder) + "version_1.x86_64.so"),
            "38d206a537fcfa5e1d9359a4b0b74901bd0b95e3987141c11ffb1ac0998a4fdd");
  EXPECT_EQ(sha256_of_file(std::string(kFolder) + "version_1.h"),
            "85e467c0343d907162b711bf925ef1bf78af9d6d3c588c85c4a82a93a80b752d");
}

TEST(FrozenVersion, IsLoadedAndAccepted) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the frozen library is for x86-64";
#endif
  const auto frozen = load_one("plugin:" + std::string(kFolder) + "version_1.x86_64.so");
  EXPECT_EQ(frozen->own_unit(), Unit::fp32_seq);
  const Campaign campaign = run_campaign(small_plan(12, {frozen.get()}));
  EXPECT_EQ(exit_status(campaign), 0);
  EXPECT_EQ(campaign.tally.cases(), 12);
  EXPECT_TRUE(campaign.tally.unsupported.empty());
}

}  // namespace
}  // namespace attest::frozen_version_test
