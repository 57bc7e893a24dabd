// Goal: every law holds for the bundled healthy subject on drawn cases of both passes. They are
// RapidCheck properties, so that a failure comes shrunk and by name.
#include <gtest/gtest.h>

#include <map>

#include "kernels/canaries/plain.hpp"
#include "properties/rapidcheck_bridge.hpp"
#include "tests/properties/checking.hpp"

namespace attest::law_on_plain_test {
namespace {

// Asks for a machine that counts, which `plain` has none of.
constexpr std::string_view kOfMachines = "write_traffic";

// Checks `law` on `cases` drawn cases; at least `least` of them must have something for it.
void expect_law(std::string_view law, std::uint64_t seed, int cases, int least) {
  const auto plain = make_plain("plain", {}, true);
  int applied = 0;
  int undecided = 0;
  const CaseCheckResult result = check_cases({.seed = seed, .cases = cases}, [&](const Case& c) {
    const LawOutcome outcome = CheckedCase(c, *plain).check(law);
    applied += outcome.applicable;
    undecided += outcome.verdict == Verdict::undecided;  // the campaign would ask for more bits
    return outcome.verdict != Verdict::reject;
  });
  EXPECT_TRUE(result.holds) << result.message;
  EXPECT_LE(undecided, 2) << law;
  EXPECT_GE(applied, least) << law << " of " << result.checked;
}

TEST(PlainLaw, OutputsLieWithinTheBudget) { expect_law("accuracy", 101, 100, 60); }
TEST(PlainLaw, ConstantVIsReturned) { expect_law("constant_v", 102, 100, 60); }
TEST(PlainLaw, DeadRowsHoldWhatIsDeclared) { expect_law("dead_rows", 103, 100, 15); }
TEST(PlainLaw, UnseenBytesChangeNothing) { expect_law("containment", 104, 100, 25); }
TEST(PlainLaw, KeysOfOtherRowsChangeNothing) { expect_law("non_interference", 105, 100, 25); }
TEST(PlainLaw, OneKeyIsReturned) { expect_law("one_key", 106, 100, 50); }

// Laws that lay tensors out or judge another problem, at once: they share the case's answer.
TEST(PlainLaw, LawsOfOtherCallsHold) {
  constexpr std::string_view names[] = {"write_coverage", "layout",    "head_isolation", "slices",
                                        "longer_buffer",  "two_calls", "envelope"};
  const auto plain = make_plain("plain", {}, true);
  std::map<std::string_view, int> applied;
  std::string broken;
  const CaseCheckResult result = check_cases({.seed = 109, .cases = 110}, [&](const Case& c) {
    const CheckedCase checked(c, *plain);
    for (const std::string_view name : names) {
      const LawOutcome outcome = checked.check(name);
      applied[name] += outcome.applicable;
      if (outcome.verdict != Verdict::reject) continue;
      broken = std::string(name) + ": " + outcome.detail;
      return false;
    }
    return true;
  });
  EXPECT_TRUE(result.holds) << broken << "\n" << result.message;
  for (const std::string_view name : names) EXPECT_GE(applied[name], 30) << name;
}

// All laws of the backward at once: the oracle's answer is what takes the time.
TEST(PlainLaw, EveryBackwardLawHolds) {
  const auto plain = make_plain("plain", {}, true);
  std::map<std::string_view, int> applied;
  std::string broken;
  int undecided = 0;
  const CaseCheck what{.seed = 108, .cases = 100, .pass = Pass::bwd};
  const CaseCheckResult result = check_cases(what, [&](const Case& c) {
    const CheckedCase checked(c, *plain);
    for (const Law& law : laws_of(Pass::bwd)) {
      const LawOutcome outcome = checked.check(law.name);
      applied[law.name] += outcome.applicable;
      undecided += outcome.verdict == Verdict::undecided;
      if (outcome.verdict != Verdict::reject) continue;
      broken = std::string(law.name) + ": " + outcome.detail;
      return false;
    }
    return true;
  });
  EXPECT_TRUE(result.holds) << broken << "\n" << result.message;
  EXPECT_LE(undecided, 2);
  for (const Law& law : laws_of(Pass::bwd)) {
    if (law.name == kOfMachines) continue;
    EXPECT_GE(applied[law.name], 8) << law.name;
  }
}

void expect_laws_where_a_nan_is_live(Pass pass, std::uint64_t indices) {
  const auto plain = make_plain("plain", {}, true);
  std::map<std::string_view, int> applied;
  for (std::uint64_t index = 0; index < indices; ++index) {
    const Case c = draw(107, index, pass);
    if (std::get<FamilyData>(c.data).family != "F23") continue;
    const CheckedCase checked(c, *plain);
    for (const Law& law : laws_of(pass)) {
      const LawOutcome outcome = checked.check(law.name);
      EXPECT_NE(outcome.verdict, Verdict::reject)
          << law.name << ": " << outcome.detail << " " << to_string(c);
      applied[law.name] += outcome.applicable;
    }
  }
  for (const Law& law : laws_of(pass)) {
    // Nor does zero_dout speak where a NaN is stored.
    if (law.name == kOfMachines || law.name == "zero_dout") continue;
    EXPECT_GE(applied[law.name], 5) << law.name;
  }
}

TEST(PlainLaw, EveryLawHoldsWhereANanIsLive) { expect_laws_where_a_nan_is_live(Pass::fwd, 880); }
TEST(PlainLaw, EveryBackwardLawHoldsWhereANanIsLive) {
  expect_laws_where_a_nan_is_live(Pass::bwd, 1000);
}

// An LSE beyond binary32 makes P = inf in the backward, and inf * 0 a NaN: the range conditions
// allow it, and no law may ask for more.
TEST(PlainLaw, EveryBackwardLawHoldsWherePLeavesItsRange) {
  const std::string shape = "attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=bf16;out=bf16;scale=";
  const std::string band = ";left=inf;right=inf;align=tl;pass=bwd;data=";
  const auto fused = make_plain("plain-fused", {.exponent = Exponent::fused});
  for (const std::string& text :
       {shape + "0x1p+10" + band + "q:7180,k:4980,v:3f80,dout:3f80",
        shape + "0x1.2468acp+0" + band + "q:4f9d,k:3f80,v:3f80,dout:3f80"}) {
    const Case c = parse_case(text);
    const CheckedCase checked(c, *fused);
    for (const Law& law : laws_of(Pass::bwd)) {
      if (law.name == kOfMachines) continue;
      const LawOutcome outcome = checked.check(law.name);
      EXPECT_NE(outcome.verdict, Verdict::reject) << law.name << ": " << outcome.detail;
    }
  }
}

}  // namespace
}  // namespace attest::law_on_plain_test
