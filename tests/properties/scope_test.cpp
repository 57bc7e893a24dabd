// Goal: a law's scope leaves out no problem that the law has something to say of, and lets in few
// others: turns are spent by it before anything runs.
#include "properties/laws/scope.hpp"

#include <gtest/gtest.h>

#include <map>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/drawn_shape.hpp"
#include "properties/family.hpp"
#include "tests/properties/checking.hpp"
#include "tests/properties/drawn.hpp"

namespace attest {
namespace {

Problem problem_of(const std::string& rest) {
  return parse_problem("attest1:b=2;hq=2;hk=1;nq=4;nk=6;dqk=2;dv=2;in=f16;out=f16;scale=0x1p+0;" +
                       rest + ";pass=fwd");
}

TEST(Scope, IsReadOffTheBandAndTheLengths) {
  const Problem open = problem_of("left=inf;right=inf;align=tl");
  EXPECT_TRUE(has_pairs(open) && has_live_rows(open) && has_free_order(open));
  EXPECT_TRUE(has_other_groups(open) && has_shared_keys(open) && has_entries_apart(open));
  EXPECT_FALSE(has_unseen_bytes(open) || has_mixed_keys(open));

  const Problem causal = problem_of("left=inf;right=0;align=tl");  // keys 4 and 5 are never seen
  EXPECT_TRUE(has_unseen_bytes(causal) && has_mixed_keys(causal));
  EXPECT_FALSE(has_free_order(causal));
  const Problem last = problem_of("left=inf;right=0;align=br");
  EXPECT_TRUE(has_mixed_keys(last));
  EXPECT_FALSE(has_unseen_bytes(last));

  const Problem none = problem_of("left=inf;right=-6;align=tl");
  EXPECT_TRUE(has_pairs(none));
  EXPECT_FALSE(has_live_rows(none) || has_shared_keys(none));
  const Problem apart = problem_of("left=inf;right=inf;align=tl;lq=0,4;lk=6,0");
  EXPECT_FALSE(has_pairs(apart) || has_free_order(apart));
  EXPECT_TRUE(has_unseen_bytes(apart));
}

TEST(Scope, CountsTheTilesThatTheLiveKeysOfARowSpan) {
  Problem p = problem_of("left=inf;right=inf;align=tl");
  p.n_k = 129;
  EXPECT_EQ(most_tiles_of_a_row(p, 64), 3);
  p.n_k = 128;
  EXPECT_EQ(most_tiles_of_a_row(p, 64), 2);
  p.left = 1;
  p.right = 1;  // rows see keys 0 to 4, three at most
  EXPECT_EQ(most_tiles_of_a_row(p, 2), 2);
  p.lk = {0, 0};
  EXPECT_EQ(most_tiles_of_a_row(p, 2), 0);
}

struct Counts {
  Index in_scope = 0;
  Index applicable = 0;
};

TEST(Scope, HoldsWhereverALawAppliesAndMostlyWhereItDoes) {
  constexpr Index kCheap = 700'000;
  const auto plain = make_plain("plain", {}, true);
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    std::map<std::string_view, Counts> counts;
    for (std::uint64_t index = 0; index < 400; ++index) {
      const Case c = draw(8, index, pass);
      if (work_of(c.problem) > kCheap) continue;
      const CheckedCase checked(c, *plain);
      const bool live_nan = family_named(std::get<FamilyData>(c.data).family).live_nan;
      for (const Law& law : laws_of(pass)) {
        if (!law.reruns) continue;
        const bool applicable = checked.check(law.name).applicable;
        const bool in_scope = law.may_speak_of(c.problem);
        EXPECT_TRUE(in_scope || !applicable) << law.name << " of " << to_string(c);
        if (!in_scope || live_nan) continue;
        ++counts[law.name].in_scope;
        counts[law.name].applicable += applicable;
      }
    }
    for (const auto& [law, count] : counts) {
      EXPECT_GE(count.in_scope, 10) << law;
      EXPECT_GE(10 * count.applicable, 9 * count.in_scope) << law;
    }
  }
}

}  // namespace
}  // namespace attest
