// Goal: the list of canaries is complete and consistent, and each is indistinguishable from its
// control by what it declares.
#include "kernels/canaries/canary.hpp"

#include <set>

#include "tests/kernels/canary_runs.hpp"

namespace attest::canary_test {
namespace {

TEST(Canaries, BeginWithTheControlAndHaveDistinctNames) {
  ASSERT_EQ(canaries().size(), 67u);
  EXPECT_EQ(canaries()[0].name, "canary/none");
  EXPECT_TRUE(canaries()[0].law.empty());
  std::set<std::string_view> names;
  for (const Canary& canary : canaries()) {
    names.insert(canary.name);
    EXPECT_EQ(canary.name.substr(0, 7), "canary/");
    EXPECT_EQ(canary.make()->name(), canary.name);
  }
  EXPECT_EQ(names.size(), canaries().size());
}

TEST(Canaries, NameAFixedLawEachOfTheirPass) {
  constexpr std::string_view forward[] = {
      "accuracy", "constant_v",  "dead_rows",      "containment", "non_interference",
      "one_key",  "big_offsets", "write_coverage", "layout",      "two_calls",
      "envelope", "replay",      "configurations"};
  constexpr std::string_view backward[] = {
      "gradient_accuracy", "stage_accuracy", "group_sum", "mask_agreement", "determinism",
      "write_coverage",    "layout",         "replay",    "configurations"};
  for (const Canary& canary : canaries().subspan(1)) {
    const std::span<const std::string_view> laws =
        canary.pass == Pass::fwd ? std::span<const std::string_view>(forward) : backward;
    EXPECT_NE(std::ranges::find(laws, canary.law), laws.end()) << canary.name;
    EXPECT_FALSE(canary.fault.empty()) << canary.name;
    EXPECT_GT(canary.most_keys, 0) << canary.name;
    EXPECT_TRUE(canary.code.empty() || !canary.classes.empty()) << canary.name;
  }
}

TEST(Canaries, DeclareWhatTheirControlDeclares) {
  const Problem p = three_tiles();
  Index variants = 0;
  for (const Canary& canary : canaries()) {
    const auto subject = canary.make();
    const auto control = control_of(canary);
    variants += canary.control == "canary/none" ? 0 : 1;
    EXPECT_EQ(canary.control == "canary/none",
              control->numerics(p, Unit::fp32_seq) == numerics_of({}, p));
    EXPECT_EQ(subject->numerics(p, Unit::fp32_seq), control->numerics(p, Unit::fp32_seq));
    EXPECT_EQ(subject->semantics(), control->semantics());
    EXPECT_EQ(subject->unsupported(p, Unit::h100), control->unsupported(p, Unit::h100));
  }
  EXPECT_EQ(variants, 5);
}

TEST(Control, IsThePlainKernel) {
  for (const Index right : {kUnlimited, Index{0}, Index{-38}}) {
    Problem p = three_tiles(Pass::bwd);
    p.right = right;
    expect_harmless("canary/none", p, gaussian_inputs(p, 2));
  }
}

}  // namespace
}  // namespace attest::canary_test
