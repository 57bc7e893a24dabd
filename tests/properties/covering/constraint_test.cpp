// Goal: what a constraint excludes really never meets: for each there is a case that violates it,
// and the answer that it gets: no well-formed problem, no such case however much it is asked for,
// or the outputs of another family's case, bit for bit.
#include "properties/covering/constraint.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "properties/family.hpp"

namespace attest::constraint_test {
namespace {

constexpr std::uint64_t kAsked = 2000;

// The family's place among all.
std::int8_t family_value(std::string_view name) {
  const auto values = names_of(kFamilyDrawn).values;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (values[n] == name) return static_cast<std::int8_t>(n);
  }
  return kOpen;
}

struct Violation {
  std::string_view constraint;
  std::string_view family;
  std::vector<std::pair<Parameter, std::int8_t>> features;
  Pass pass = Pass::fwd;

  [[nodiscard]] Features wish() const {
    Features wish = all_open();
    for (const auto& [parameter, value] : features) wish[parameter] = value;
    return wish;
  }
  [[nodiscard]] Features excluded() const {
    Features all = wish();
    all[kFamilyDrawn] = family_value(family);
    return all;
  }
};

// What a family's purpose rules out.
const std::vector<Violation>& refused_by_families() {
  static const std::vector<Violation> all = {
      {"F3 keys", "F3", {{kKeys, kSingle}}},
      {"F21 keys", "F21", {{kKeys, kSingle}}},
      {"F11 d", "F11", {{kDim, kSixteens}}},
      {"F11 d", "F11", {{kDim, kWide}}},
      {"F17 rows", "F17", {{kKeys, kOneOver}}},
      {"F17 rows", "F17", {{kKeys, kBetween}, {kReach, 1}}},
      {"F17 rows", "F17", {{kBand, kCausalBand}}},
      {"F17 rows", "F17", {{kLengths, kKeyLengths}}},
      {"F15 roads", "F15", {{kBand, kWindowBand}, {kBatch, 0}, {kReach, 1}}},
      {"F15 roads", "F15", {{kBand, kNoBand}, {kLengths, kKeyLengths}}},
      {"F15 roads",
       "F15",
       {{kBand, kCausalBand}, {kAlignment, 1}, {kLengths, kNoLengths}, {kReach, 1}}},
      {"short rows", "F0", {{kKeys, kSingle}, {kReach, 1}}},
      {"backward families", "F8", {}},
      {"backward families", "F12", {}},
      {"backward families", "F13", {}},
  };
  return all;
}

TEST(Constraint, HasAReasonAndAViolationOfEach) {
  std::map<std::string_view, int> violations = {{"gradient of LSE", 1}, {"nothing read", 1}};
  for (const Violation& violation : refused_by_families()) ++violations[violation.constraint];
  EXPECT_EQ(violations.size(), constraints().size());
  for (const Constraint& constraint : constraints()) {
    EXPECT_GE(std::string(constraint.reason).size(), 20U) << constraint.name;
    EXPECT_EQ(violations.count(constraint.name), 1U) << constraint.name;
    EXPECT_FALSE(constraint.excludes(Pass::fwd, all_open())) << constraint.name;
    EXPECT_FALSE(constraint.excludes(Pass::bwd, all_open())) << constraint.name;
  }
}

TEST(Constraint, IsTheOneThatSpeaksOfItsViolation) {
  for (const Violation& violation : refused_by_families()) {
    const Constraint* constraint = constraint_on(violation.pass, violation.excluded());
    ASSERT_NE(constraint, nullptr) << violation.constraint << " " << violation.family;
    EXPECT_EQ(constraint->name, violation.constraint);
  }
}

// Asked for in as many ways as a plan has, the draw answers with other features.
TEST(Constraint, OfAFamilyIsRefusedByTheDraw) {
  for (const Violation& violation : refused_by_families()) {
    const auto turn = 2 * families_of(violation.pass).size();
    for (std::uint64_t index = 0; index < kAsked; ++index) {
      const Case c = draw(3, index % turn, violation.pass, {violation.wish(), index / turn});
      const Features met = features_of(c);
      bool violated = met[kFamilyDrawn] == family_value(violation.family);
      for (const auto& [parameter, value] : violation.features) {
        violated = violated && met[parameter] == value;
      }
      ASSERT_FALSE(violated) << violation.constraint << ": " << to_string(c);
    }
  }
}

// Rows without queries or keys are drawn in every family, by chance; nothing else that is excluded.
TEST(Constraint, ExcludesNothingThatIsDrawnByChance) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < kAsked; ++index) {
      const Case c = draw(4, index, pass);
      const Constraint* constraint = constraint_on(pass, features_of(c));
      if (constraint == nullptr || constraint->name == "nothing read") continue;
      ADD_FAILURE() << constraint->name << ": " << to_string(c);
    }
  }
}

TEST(Constraint, OnTheGradientOfLseIsNoWellFormedProblem) {
  Features features = all_open();
  features[kLseGradient] = 1;
  ASSERT_NE(constraint_on(Pass::fwd, features), nullptr);
  EXPECT_EQ(constraint_on(Pass::fwd, features)->name, "gradient of LSE");
  EXPECT_EQ(constraint_on(Pass::bwd, features), nullptr);
  Problem p;
  p.lse_gradient = true;
  EXPECT_NE(defect_of(p), "");
}

// Without queries or keys a case of any family is a case of F0.
TEST(Constraint, OnWhatIsNotReadExcludesTheSameCaseAgain) {
  const auto plain = make_plain("plain");
  for (const Index queries : {0, 3}) {
    Problem p;
    p.n_q = queries;
    p.n_k = 3 - queries;
    p.d_qk = p.d_v = 4;
    p.pass = Pass::bwd;
    const auto outputs_of = [&](std::string_view family) {
      const Case c{p, FamilyData{std::string(family), 7}};
      return execute(*plain, p, materialise(c), {}).outputs;
    };
    for (const Family& family : families()) {
      Features features = features_of(p);
      features[kFamilyDrawn] = family_value(family.name);
      EXPECT_EQ(constraint_on(Pass::bwd, features) == nullptr, family.name == "F0");
      EXPECT_EQ(outputs_of(family.name), outputs_of("F0")) << family.name;
    }
  }
}

}  // namespace
}  // namespace attest::constraint_test
