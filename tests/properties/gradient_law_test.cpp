// Goal: what law_test.cpp holds of the forward holds of the backward: a healthy subject satisfies
// every law, and for each law of gradients there is a subject that breaks it, and as few others as
// its promise allows.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "tests/properties/checking.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::gradient_law_test {
namespace {

using Names = std::set<std::string_view>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Asks for a machine that counts, which the rowwise subject has none of.
constexpr std::string_view kOfMachines = "write_traffic";

Case sample(const std::string& shape, const std::string& format, const std::string& band,
            const std::string& family = "F0") {
  return {parse_problem("attest1:" + shape + ";dqk=8;dv=3;in=" + format + ";out=" + format +
                        ";scale=0x1p-1;" + band),
          FamilyData{family, 7}};
}

// Bands, lengths, groups, dead rows, unseen keys and queries, gradients of LSE, on small sizes.
std::vector<Case> samples() {
  std::vector<Case> cases;
  for (const char* format : {"f16", "bf16"}) {
    const auto add = [&](const std::string& shape, const std::string& band) {
      cases.push_back(sample(shape, format, band));
    };
    add("b=1;hq=2;hk=1;nq=12;nk=20", "left=inf;right=0;align=br;pass=bwd;glse=yes");
    add("b=1;hq=2;hk=2;nq=12;nk=7", "left=inf;right=0;align=br;pass=bwd");
    add("b=2;hq=4;hk=2;nq=9;nk=21", "left=2;right=1;align=tl;lq=4,9;lk=20,0;pass=bwd");
    add("b=1;hq=3;hk=1;nq=5;nk=6", "left=inf;right=inf;align=tl;pass=bwd;glse=yes");
    add("b=1;hq=1;hk=1;nq=14;nk=11", "left=-1;right=4;align=tl;lk=9;pass=bwd");
    add("b=1;hq=1;hk=1;nq=3;nk=0", "left=inf;right=inf;align=tl;pass=bwd");
  }
  return cases;
}

// With a live NaN, in each of q, k and v.
std::vector<Case> samples_with_nan() {
  std::vector<Case> cases;
  for (Case c : samples()) {
    if (c.problem.in == Format::bf16) break;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      c.data = FamilyData{"F23", seed};
      cases.push_back(c);
    }
  }
  return cases;
}

Names broken_by(Wrong wrong, const std::vector<Case>& cases = samples()) {
  const RowwiseSubject subject(wrong);
  Names broken;
  for (const Case& c : cases) {
    const CheckedCase checked(c, subject);
    for (const Law& law : laws_of(Pass::bwd)) {
      const LawOutcome outcome = checked.check(law.name);
      if (!outcome.applicable || outcome.verdict == Verdict::accept) continue;
      broken.insert(law.name);
      EXPECT_FALSE(outcome.detail.empty()) << law.name;
    }
  }
  return broken;
}

// Accepted by every law, each of which has something to say about `least` of the cases.
void expect_accepted(const Subject& subject, const std::vector<Case>& cases, int least) {
  std::map<std::string_view, int> applied;
  for (const Case& c : cases) {
    const CheckedCase checked(c, subject);
    for (const Law& law : laws_of(Pass::bwd)) {
      const LawOutcome outcome = checked.check(law.name);
      EXPECT_EQ(outcome.verdict, Verdict::accept)
          << law.name << ": " << outcome.detail << " " << to_string(c);
      applied[law.name] += outcome.applicable;
    }
  }
  for (const Law& law : laws_of(Pass::bwd)) {
    if (law.name == kOfMachines) continue;
    EXPECT_GE(applied[law.name], least) << law.name;
  }
}

TEST(GradientLaw, AHealthySubjectSatisfiesEveryLawAndEveryLawApplies) {
  expect_accepted(RowwiseSubject{}, samples(), 2);
  // Nor is what is declared a fault: atomic additions, NaN in dead rows.
  EXPECT_EQ(broken_by(Wrong::atomic_dq), Names{});
  EXPECT_EQ(broken_by(Wrong::dead_nan), Names{});
}

TEST(GradientLaw, ALiveNanLeavesAHealthySubjectAcceptedByEveryLaw) {
  std::vector<Case> cases = samples_with_nan();
  // zero_dout says nothing where a NaN is stored.
  for (const Case& c : samples()) cases.push_back(c);
  for (const auto tensor : {&Inputs::dout, &Inputs::glse}) {
    Inputs inputs = materialise(samples().front());
    const std::uint64_t nan = round_to_bits((inputs.*tensor).format(), kNan);
    (inputs.*tensor).view().set_bits(0, 1, 3, 0, nan);
    cases.push_back({samples().front().problem, inputs});
  }
  expect_accepted(RowwiseSubject{}, cases, 4);
}

// The rows of V nearly agree, so D stands out in dS; one head a group, and a band.
std::vector<Case> samples_of_small_ds() {
  const std::string causal = "left=inf;right=0;align=br;pass=bwd";
  return {sample("b=1;hq=1;hk=1;nq=12;nk=20", "f16", causal, "F12"),
          sample("b=1;hq=1;hk=1;nq=12;nk=20", "bf16", causal, "F12")};
}

// q = 0 and keys that come in pairs k, -k: no gradient shows an error of D.
std::vector<Case> samples_that_hide_d() {
  Case c = sample("b=1;hq=1;hk=1;nq=4;nk=6", "f16", "left=inf;right=inf;align=tl;pass=bwd");
  Inputs inputs = materialise(c);
  inputs.q = zero_inputs(c.problem).q;
  const TensorView k = inputs.k.view();
  for (Index j = 0; j < 6; j += 2) {
    for (Index column = 0; column < c.problem.d_qk; ++column) {
      k.set_bits(0, 0, j + 1, column, k.bits(0, 0, j, column) ^ 0x8000);
    }
  }
  c.data = inputs;
  return {c};
}

std::vector<Case> samples_of_rising_v() {
  Case c = sample("b=1;hq=2;hk=1;nq=4;nk=6", "f16", "left=inf;right=inf;align=tl;pass=bwd");
  Inputs inputs = materialise(c);
  for (Index j = 0; j < 6; ++j) {
    inputs.v.view().set_bits(0, 0, j, 0, round_to_bits(Format::f16, static_cast<double>(j)));
  }
  c.data = inputs;
  return {c};
}

TEST(GradientLaw, EachLawRejectsTheSubjectThatBreaksItAlone) {
  EXPECT_EQ(broken_by(Wrong::nan_unwritten, samples_with_nan()),
            (Names{"gradient_accuracy", "write_coverage"}));
  // Of other keys, or under another band, D's error shows in the gradients.
  EXPECT_EQ(broken_by(Wrong::d_is_off, samples_that_hide_d()),
            (Names{"score_gradient_sum", "two_calls", "envelope"}));
  EXPECT_EQ(broken_by(Wrong::leftovers), Names{"zero_dout"});
  EXPECT_EQ(broken_by(Wrong::clamps_dout), Names{"dout_linearity"});
  EXPECT_EQ(broken_by(Wrong::falling_v, samples_of_rising_v()), Names{"key_permutation"});
  EXPECT_EQ(broken_by(Wrong::quiet_head), Names{"group_sum"});
  EXPECT_EQ(broken_by(Wrong::blank_key), Names{"mask_agreement"});
  EXPECT_EQ(broken_by(Wrong::blank_head), Names{"mask_agreement"});
  EXPECT_EQ(broken_by(Wrong::schedule_bit), Names{"determinism"});
  EXPECT_EQ(broken_by(Wrong::unseen_dout), Names{"containment"});
  EXPECT_EQ(broken_by(Wrong::other_rows_dq), Names{"non_interference"});
  EXPECT_EQ(broken_by(Wrong::beyond_length), Names{"dead_rows"});
  EXPECT_EQ(broken_by(Wrong::few_rows_dv), Names{"slices"});
  EXPECT_EQ(broken_by(Wrong::long_buffer_dk), Names{"longer_buffer"});
  EXPECT_EQ(broken_by(Wrong::first_scale_dq), Names{"two_calls"});
  EXPECT_EQ(broken_by(Wrong::large_heads_dq), Names{"envelope"});
  EXPECT_EQ(broken_by(Wrong::told_d), Names{"configurations"});
}

TEST(GradientLaw, TheStageSeesWhatTheRoundingOfOHidesEndToEnd) {
  // With -2 dO the first dO of a row that showed it is negative, and that of others positive.
  EXPECT_EQ(broken_by(Wrong::d_of_exact_o, samples_of_small_ds()),
            (Names{"stage_accuracy", "replay", "dout_linearity", "longer_buffer", "two_calls",
                   "envelope"}));
}

TEST(GradientLaw, EndToEndSeesWhatTheStageTakesForExact) {
  // The stored O is the stage's own, and the sum of dS is D's error itself.
  EXPECT_EQ(broken_by(Wrong::d_of_stored_o, samples_of_small_ds()),
            (Names{"gradient_accuracy", "score_gradient_sum"}));
}

TEST(GradientLaw, AGradientThatNoPairReachesIsZeroByTwoLaws) {
  EXPECT_EQ(broken_by(Wrong::dead_gradient), (Names{"dead_rows", "zero_dout"}));
}

TEST(GradientLaw, ASubjectThatMaySpreadANanIsNotJudgedWhereOneIsLive) {
  const RowwiseSubject undeclared(Wrong::other_rows_dq);
  const RowwiseSubject declared(Wrong::spreads_nan);
  std::map<std::string_view, int> lies;
  for (const Case& c : samples_with_nan()) {
    const CheckedCase breaks(c, undeclared);
    const CheckedCase may(c, declared);
    for (const Law& law : laws_of(Pass::bwd)) {
      const LawOutcome lie = breaks.check(law.name);
      const LawOutcome outcome = may.check(law.name);
      EXPECT_EQ(outcome.verdict, Verdict::accept) << law.name << ": " << outcome.detail;
      const bool by_number = law.name == "gradient_accuracy" || law.name == "stage_accuracy";
      if (!by_number || lie.verdict != Verdict::reject) continue;
      EXPECT_FALSE(outcome.applicable) << law.name;
      ++lies[law.name];
    }
  }
  EXPECT_GE(lies["gradient_accuracy"], 3);
  EXPECT_GE(lies["stage_accuracy"], 3);
  EXPECT_EQ(broken_by(Wrong::spreads_nan), Names{});
}

TEST(GradientLaw, ACrashOfAnExtraRunIsTroubleAndNoAccept) {
  const Case c = sample("b=1;hq=1;hk=1;nq=3;nk=3", "f16", "left=inf;right=inf;align=tl;pass=bwd");
  const RowwiseSubject subject(Wrong::crash_on_ones);
  const LawOutcome outcome = CheckedCase(c, subject).check("mask_agreement");
  EXPECT_EQ(outcome.trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_NE(outcome.detail.find("signal 11"), std::string::npos) << outcome.detail;
}

TEST(GradientLaw, SaysNothingWhereTheCaseHasNothingForIt) {
  const RowwiseSubject subject;
  const auto applies = [&](const Case& c, std::string_view law) {
    return CheckedCase(c, subject).check(law).applicable;
  };
  const std::string causal = "left=inf;right=0;align=tl;pass=bwd";
  const std::string open = "left=inf;right=inf;align=tl;pass=bwd";
  EXPECT_FALSE(applies(sample("b=1;hq=1;hk=1;nq=3;nk=4", "f16", causal), "key_permutation"));
  EXPECT_FALSE(applies(sample("b=1;hq=1;hk=1;nq=3;nk=1", "f16", open), "key_permutation"));
  EXPECT_FALSE(applies(sample("b=1;hq=2;hk=2;nq=3;nk=4", "f16", open), "group_sum"));
  const Case no_keys = sample("b=1;hq=2;hk=1;nq=3;nk=0", "f16", open);
  for (const char* law : {"gradient_accuracy", "stage_accuracy", "score_gradient_sum",
                          "dout_linearity", "key_permutation", "group_sum", "mask_agreement"}) {
    EXPECT_FALSE(applies(no_keys, law)) << law;
  }
  EXPECT_TRUE(applies(no_keys, "dead_rows"));
  Case large = sample("b=1;hq=1;hk=1;nq=3;nk=4", "f16", open);
  Inputs inputs = materialise(large);
  inputs.dout.view().set_bits(0, 0, 1, 0, 0x7800);  // twice 32,768 is no f16
  large.data = inputs;
  EXPECT_FALSE(applies(large, "dout_linearity"));
  EXPECT_TRUE(applies(large, "gradient_accuracy"));
}

TEST(GradientLaw, DetailsNameTheKeyRowsOfDkAndDv) {
  const Case c = samples().front();
  const auto detail = [&](Wrong wrong, std::string_view law) {
    const RowwiseSubject subject(wrong);
    return CheckedCase(c, subject).check(law).detail;
  };
  EXPECT_EQ(detail(Wrong::leftovers, "zero_dout"),
            "dv[b=0 h=0 j=0 d=0] is not 0 with dO = 0 and gL = 0");
  EXPECT_TRUE(detail(Wrong::schedule_bit, "determinism").starts_with("dk[b=0 h=0 j=0 d=0] was "));
  EXPECT_NE(detail(Wrong::blank_key, "mask_agreement").find("forward, and does not backward"),
            std::string::npos);
  EXPECT_TRUE(detail(Wrong::clamps_dout, "dout_linearity").find(" j=") != std::string::npos);
}

}  // namespace
}  // namespace attest::gradient_law_test
