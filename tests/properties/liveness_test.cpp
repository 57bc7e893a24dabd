// Goal: who sees whom, row by row and key by key, on a band small enough to write down.
#include "properties/laws/liveness.hpp"

#include <gtest/gtest.h>

namespace attest::liveness_test {
namespace {

TEST(Liveness, TellsUnseenMixedAndFullKeysAndDeadRowsApart) {
  // Row i sees keys i - 1 and i of the first two; row 3 lies beyond lq, keys 2.. beyond lk.
  const Problem p = parse_problem(
      "attest1:b=1;hq=1;hk=1;nq=4;nk=4;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=1;right=0;"
      "align=tl;lq=4;lk=2;pass=fwd");
  const Liveness liveness(p, 0);
  EXPECT_EQ(liveness.rows(), 4);
  EXPECT_EQ(liveness.keys(), 4);
  EXPECT_TRUE(liveness.live(0, 0) && !liveness.live(0, 1));
  EXPECT_TRUE(liveness.live(1, 0) && liveness.live(1, 1) && !liveness.live(2, 0));
  EXPECT_FALSE(liveness.dead_row(2));
  EXPECT_TRUE(liveness.dead_row(3));
  EXPECT_TRUE(liveness.mixed(0) && liveness.mixed(1));
  EXPECT_TRUE(liveness.unseen(2) && liveness.unseen(3));
  EXPECT_FALSE(liveness.mixed(2) || liveness.unseen(0));
}

TEST(Liveness, AKeyThatEveryRowSeesIsNeitherMixedNorUnseen) {
  Problem p;
  p.n_q = 3;
  p.n_k = 2;
  const Liveness liveness(p, 0);
  EXPECT_FALSE(liveness.mixed(1) || liveness.unseen(1));
}

TEST(Liveness, WithoutRowsEveryKeyIsUnseen) {
  Problem p;
  p.n_q = 0;
  p.n_k = 2;
  const Liveness liveness(p, 0);
  EXPECT_TRUE(liveness.unseen(0) && liveness.unseen(1));
}

}  // namespace
}  // namespace attest::liveness_test
