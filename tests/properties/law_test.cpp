// Goal: a healthy subject satisfies every law, and for each law there is a subject that breaks it
// and no other: no law is decoration, and none leans on its neighbour.
#include "properties/law.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/core/refusal.hpp"
#include "tests/properties/checking.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::law_test {
namespace {

using Names = std::set<std::string_view>;

// Asks for a machine that counts, which the rowwise subject has none of.
constexpr std::string_view kOfMachines = "write_traffic";

Case sample(const std::string& problem, const std::string& family = "F0") {
  return {parse_problem("attest1:" + problem + ";pass=fwd"), FamilyData{family, 7}};
}

// Bands, lengths, groups, dead rows, unseen keys and unseen queries, on small sizes.
std::vector<Case> samples() {
  std::vector<Case> cases;
  for (const char* format : {"f16", "bf16"}) {
    const std::string tail =
        std::string(";dqk=8;dv=3;in=") + format + ";out=" + format + ";scale=0x1p-1";
    cases.push_back(sample("b=1;hq=2;hk=1;nq=12;nk=20" + tail + ";left=inf;right=0;align=br"));
    cases.push_back(sample("b=1;hq=2;hk=2;nq=12;nk=7" + tail + ";left=inf;right=0;align=br"));
    cases.push_back(
        sample("b=2;hq=4;hk=2;nq=9;nk=21" + tail + ";left=2;right=1;align=tl;lq=4,9;lk=20,0"));
    cases.push_back(sample("b=1;hq=1;hk=1;nq=5;nk=6" + tail + ";left=inf;right=inf;align=tl"));
    cases.push_back(sample("b=1;hq=1;hk=1;nq=14;nk=11" + tail + ";left=-1;right=4;align=tl;lk=9"));
    cases.push_back(sample("b=1;hq=1;hk=1;nq=3;nk=0" + tail + ";left=inf;right=inf;align=tl"));
  }
  return cases;
}

// The laws that a subject breaks in any of the samples.
Names broken_by(Wrong wrong) {
  const RowwiseSubject subject(wrong);
  Names broken;
  for (const Case& c : samples()) {
    const CheckedCase checked(c, subject);
    for (const Law& law : laws_of(Pass::fwd)) {
      const LawOutcome outcome = checked.check(law.name);
      if (outcome.applicable && outcome.verdict != Verdict::accept) {
        broken.insert(law.name);
        EXPECT_FALSE(outcome.detail.empty()) << law.name;
      }
    }
  }
  return broken;
}

TEST(Law, NamesAreTheFixedOnesInTheirOrder) {
  std::vector<std::string_view> names;
  for (const Law& law : laws()) names.push_back(law.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"accuracy",
                                                  "constant_v",
                                                  "dead_rows",
                                                  "containment",
                                                  "non_interference",
                                                  "one_key",
                                                  "gradient_accuracy",
                                                  "stage_accuracy",
                                                  "replay",
                                                  "score_gradient_sum",
                                                  "zero_dout",
                                                  "dout_linearity",
                                                  "key_permutation",
                                                  "group_sum",
                                                  "mask_agreement",
                                                  "determinism",
                                                  "big_offsets",
                                                  "write_traffic",
                                                  "write_coverage",
                                                  "layout",
                                                  "head_isolation",
                                                  "slices",
                                                  "longer_buffer",
                                                  "two_calls",
                                                  "envelope",
                                                  "configurations"}));
}

TEST(Law, RefusesAnUnknownNameAndListsTheKnownOnes) {
  const Refusal refusal = refusal_of([] { (void)law_named("linearity"); });
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_TRUE(refusal.says("linearity") && refusal.says("accuracy, constant_v")) << refusal.message;
}

TEST(Law, AHealthySubjectSatisfiesEveryLawAndEveryLawApplies) {
  const RowwiseSubject subject;
  std::map<std::string_view, int> applied;
  for (const Case& c : samples()) {
    const CheckedCase checked(c, subject);
    for (const Law& law : laws_of(Pass::fwd)) {
      const LawOutcome outcome = checked.check(law.name);
      EXPECT_EQ(outcome.verdict, Verdict::accept) << law.name << ": " << outcome.detail;
      applied[law.name] += outcome.applicable;
    }
  }
  for (const Law& law : laws_of(Pass::fwd)) {
    if (law.name == kOfMachines) continue;
    EXPECT_GE(applied[law.name], 4) << law.name;
  }
}

// The samples with a live NaN, in each of the three tensors.
std::vector<Case> samples_with_nan() {
  std::vector<Case> cases;
  for (Case c : samples()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      c.data = FamilyData{"F23", seed};
      cases.push_back(c);
    }
  }
  return cases;
}

TEST(Law, ALiveNanLeavesAHealthySubjectAcceptedByEveryLaw) {
  const RowwiseSubject subject;
  std::map<std::string_view, int> applied;
  for (const Case& c : samples_with_nan()) {
    const CheckedCase checked(c, subject);
    for (const Law& law : laws_of(Pass::fwd)) {
      const LawOutcome outcome = checked.check(law.name);
      EXPECT_EQ(outcome.verdict, Verdict::accept)
          << law.name << ": " << outcome.detail << " " << to_string(c);
      applied[law.name] += outcome.applicable;
    }
  }
  for (const Law& law : laws_of(Pass::fwd)) {
    if (law.name == kOfMachines) continue;
    EXPECT_GE(applied[law.name], 48) << law.name;
  }
}

TEST(Law, ASubjectThatMaySpreadANanIsNotJudgedWhereOneIsLive) {
  const RowwiseSubject undeclared(Wrong::other_rows_nan);
  const RowwiseSubject declared(Wrong::spreads_nan);
  int rejected = 0;
  int silent = 0;
  for (const Case& c : samples_with_nan()) {
    const CheckedCase breaks(c, undeclared);
    const CheckedCase may(c, declared);
    for (const Law& law : laws_of(Pass::fwd)) {
      const LawOutcome lie = breaks.check(law.name);
      const LawOutcome outcome = may.check(law.name);
      EXPECT_EQ(outcome.verdict, Verdict::accept) << law.name << ": " << outcome.detail;
      rejected += law.name == "accuracy" && lie.verdict == Verdict::reject;
      silent += law.name == "accuracy" && lie.applicable && !outcome.applicable;
    }
  }
  EXPECT_GE(rejected, 6);
  EXPECT_GE(silent, rejected);
  // Where all is finite, every law applies to it as to any other.
  EXPECT_EQ(broken_by(Wrong::spreads_nan), Names{});
}

TEST(Law, EachLawRejectsTheSubjectThatBreaksItAlone) {
  // The same numbers elsewhere are as wrong.
  EXPECT_EQ(broken_by(Wrong::temperature),
            (Names{"accuracy", "replay", "slices", "longer_buffer", "two_calls", "envelope"}));
  EXPECT_EQ(broken_by(Wrong::sum_of_ones), Names{"constant_v"});
  EXPECT_EQ(broken_by(Wrong::dead_row), Names{"dead_rows"});
  EXPECT_EQ(broken_by(Wrong::beyond_length), Names{"dead_rows"});
  EXPECT_EQ(broken_by(Wrong::unseen_bytes), (Names{"containment", "longer_buffer"}));
  EXPECT_EQ(broken_by(Wrong::unseen_queries), Names{"containment"});
  EXPECT_EQ(broken_by(Wrong::other_rows_key), Names{"non_interference"});
  EXPECT_EQ(broken_by(Wrong::other_rows_nan), Names{"non_interference"});
  EXPECT_EQ(broken_by(Wrong::lonely_key), Names{"one_key"});
  EXPECT_EQ(broken_by(Wrong::unrounded_p), Names{"replay"});
  EXPECT_EQ(broken_by(Wrong::keeps_ones), Names{"write_coverage"});
  EXPECT_EQ(broken_by(Wrong::dense_q), (Names{"big_offsets", "layout"}));
  EXPECT_EQ(broken_by(Wrong::neighbour_head), Names{"head_isolation"});
  EXPECT_EQ(broken_by(Wrong::few_rows), Names{"slices"});
  EXPECT_EQ(broken_by(Wrong::long_buffer), Names{"longer_buffer"});
  EXPECT_EQ(broken_by(Wrong::first_scale), Names{"two_calls"});
  EXPECT_EQ(broken_by(Wrong::large_heads), Names{"envelope"});
  EXPECT_EQ(broken_by(Wrong::told), Names{"configurations"});
}

TEST(Law, ACrashOfAnExtraRunIsTroubleAndNoAccept) {
  const RowwiseSubject subject(Wrong::crash_on_ones);
  const LawOutcome outcome = CheckedCase(samples()[0], subject).check("constant_v");
  EXPECT_EQ(outcome.trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_NE(outcome.detail.find("signal 11"), std::string::npos) << outcome.detail;
}

TEST(Law, SaysNothingWhereTheCaseHasNothingForIt) {
  const RowwiseSubject subject;
  const std::string tail = ";dqk=4;dv=4;in=f16;out=f16;scale=0x1p-1;left=inf;right=inf;align=tl";
  const CheckedCase open(sample("b=1;hq=1;hk=1;nq=5;nk=6" + tail), subject);
  for (const char* law : {"dead_rows", "containment", "non_interference"}) {
    EXPECT_FALSE(open.check(law).applicable) << law;
  }
  const CheckedCase no_keys(sample("b=1;hq=1;hk=1;nq=3;nk=0" + tail), subject);
  for (const char* law : {"accuracy", "constant_v", "non_interference", "one_key"}) {
    EXPECT_FALSE(no_keys.check(law).applicable) << law;
  }
  EXPECT_TRUE(no_keys.check("dead_rows").applicable);
}

TEST(Law, DetailsNameTheElementBothPatternsAndTheChange) {
  const std::string tail = ";dqk=4;dv=2;in=f16;out=f16;scale=0x1p-1;left=inf;right=0;align=tl";
  const Case c = sample("b=1;hq=1;hk=1;nq=3;nk=8" + tail);
  const RowwiseSubject leaking(Wrong::unseen_bytes);
  const std::string contained = CheckedCase(c, leaking).check("containment").detail;
  EXPECT_NE(contained.find("o[b=0 h=0 i=0 d=0] was "), std::string::npos) << contained;
  EXPECT_NE(contained.find(" and is "), std::string::npos) << contained;
  EXPECT_NE(contained.find("with NaN in unseen bytes"), std::string::npos) << contained;
  const RowwiseSubject curious(Wrong::other_rows_nan);
  const std::string interfered = CheckedCase(c, curious).check("non_interference").detail;
  EXPECT_NE(interfered.find("with NaN in key j="), std::string::npos) << interfered;
}

}  // namespace
}  // namespace attest::law_test
