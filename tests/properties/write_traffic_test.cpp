// Goal: who writes more than O(n d) bytes without having declared it is rejected, whatever its
// numbers; who stores its scores openly, or whose machine does not count, is not asked.
#include <gtest/gtest.h>

#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/plain.hpp"
#include "tests/properties/checking.hpp"

namespace attest::write_traffic_test {
namespace {

Case sample(std::string_view pass) {
  return {parse_problem("attest1:b=2;hq=4;hk=2;nq=9;nk=21;dqk=8;dv=3;in=f16;out=f16;scale=0x1p-1;"
                        "left=inf;right=0;align=br;lq=4,9;lk=20,0;pass=" +
                        std::string(pass)),
          FamilyData{"F0", 7}};
}

LawOutcome outcome(const Subject& subject, std::string_view pass = "fwd") {
  return CheckedCase(sample(pass), subject).check("write_traffic");
}

void expect_accepted(const std::vector<DescribedSubject>& subjects, Pass pass) {
  for (const DescribedSubject& each : subjects) {
    const std::string_view text = pass == Pass::fwd ? "fwd" : "bwd";
    if (each.subject->unsupported(sample(text).problem, Unit::fp32_seq)) continue;
    const LawOutcome checked = outcome(*each.subject, text);
    EXPECT_TRUE(checked.applicable) << each.subject->name();
    EXPECT_EQ(checked.verdict, Verdict::accept) << each.subject->name() << ": " << checked.detail;
  }
}

TEST(WriteTrafficLaw, AcceptsKernelsThatStoreNoScores) {
  expect_accepted(tiled_subjects(), Pass::fwd);
  expect_accepted(tiled_subjects(), Pass::bwd);
  expect_accepted(split_subjects(), Pass::fwd);
}

TEST(WriteTrafficLaw, RejectsAKernelThatSpillsP) {
  const LawOutcome checked = outcome(*tiled_canaries().front().subject);
  EXPECT_TRUE(checked.applicable);
  EXPECT_EQ(checked.verdict, Verdict::reject);
  // 2 x 4 x 9 rows of 3 outputs of 2 bytes and an LSE. The first entry's rows spill 21 weights of 2
  // bytes each, the second has no keys.
  EXPECT_EQ(
      checked.detail,
      "the forward wrote 2232 bytes to global memory, where without scores 720 suffice: o 432 "
      "lse 288 p 1512");
}

TEST(WriteTrafficLaw, DoesNotAskWhoStoresScoresOpenlyOrCountsNothing) {
  EXPECT_FALSE(outcome(*materialising_subjects().front().subject).applicable);
  EXPECT_FALSE(outcome(*make_plain("plain")).applicable);
}

}  // namespace
}  // namespace attest::write_traffic_test
