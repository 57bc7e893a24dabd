// Goal: the law follows heads of any length, block by block, and finds what it would find at once.
#include <gtest/gtest.h>

#include "kernels/canaries/plain.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "properties/draw.hpp"
#include "properties/law.hpp"
#include "properties/laws/replayed_gradients.hpp"
#include "tests/judge/replayed.hpp"

namespace attest::replay_law_test {
namespace {

void expect_same(const TensorJudgement& blocks, const TensorJudgement& whole) {
  EXPECT_GT(whole.judged, 0);
  EXPECT_EQ(blocks.judged, whole.judged);
  EXPECT_EQ(blocks.rejected, whole.rejected);
  EXPECT_EQ(blocks.single, whole.single);
  EXPECT_EQ(blocks.left, whole.left);
}

// Two heads of a group, each of more pairs than are kept at once.
TEST(ReplayLaw, FollowsLongHeadsBlockByBlock) {
  const Case c = parse_case(
      "attest1:b=1;hq=2;hk=1;nq=1100;nk=1021;dqk=2;dv=2;in=bf16;out=bf16;scale=0x1p-1;left=inf;"
      "right=7;align=br;pass=bwd;family=F0;seed=3");
  const Problem& p = c.problem;
  ASSERT_GT(p.n_q * p.n_k, 1 << 20);
  const Inputs inputs = materialise(c);
  const auto plain = make_plain("plain");
  const RunSettings settings;
  const Outputs out = execute(*plain, p, inputs, settings).outputs;
  const Answer answer = enclose_in_binary64(p, inputs);
  const LawOutcome outcome = law_named("replay").check({p, inputs, answer, *plain, settings, out});
  ASSERT_TRUE(outcome.judgement);
  EXPECT_EQ(outcome.verdict, Verdict::accept);

  const Numerics numerics = plain->numerics(p, settings.unit);
  Judgement whole;
  replay_gradients(p, inputs, numerics,
                   {out.o.view(), out.lse.view(), {out.dq.view(), out.dk.view(), out.dv.view()}},
                   whole);
  expect_same(outcome.judgement->o, replay_of(p, inputs, answer, numerics, out.o));
  expect_same(outcome.judgement->dq, whole.dq);
  expect_same(outcome.judgement->dk, whole.dk);
  expect_same(outcome.judgement->dv, whole.dv);
}

// A row too uncertain to be followed is the budget's, and is counted as such where it is alone.
TEST(ReplayLaw, CountsACaseThatItLeavesToTheBudget) {
  const auto plain = make_plain("plain");
  const RunSettings settings;
  int left_whole = 0;
  for (const char* family : {"F1", "F7", "F10", "F11"}) {
    for (int seed = 1; seed <= 12; ++seed) {
      const Case c = parse_case(
          "attest1:b=1;hq=1;hk=1;nq=1;nk=24;dqk=4;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;"
          "right=inf;align=tl;pass=fwd;family=" +
          std::string(family) + ";seed=" + std::to_string(seed));
      const Inputs inputs = materialise(c);
      const Outputs out = execute(*plain, c.problem, inputs, settings).outputs;
      const Answer answer = enclose_in_binary64(c.problem, inputs);
      const LawOutcome outcome =
          law_named("replay").check({c.problem, inputs, answer, *plain, settings, out});
      if (!outcome.judgement || outcome.judgement->o.judged > 0) continue;
      ++left_whole;
      EXPECT_TRUE(outcome.applicable);
      EXPECT_EQ(outcome.verdict, Verdict::accept);
      EXPECT_EQ(outcome.judgement->o.left, 1);
    }
  }
  EXPECT_GT(left_whole, 0);
}

}  // namespace
}  // namespace attest::replay_law_test
