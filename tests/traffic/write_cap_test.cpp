// Goal: the cap on writes is what O and LSE, and parts of both, take; and no power of n_q n_k.
#include "traffic/write_cap.hpp"

#include <gtest/gtest.h>

#include "traffic/backward_traffic.hpp"
#include "traffic/forward_traffic.hpp"
#include "traffic/split_traffic.hpp"
#include "traffic/work.hpp"

namespace attest::write_cap_test {
namespace {

Problem shaped(Index n_q, Index n_k) {
  Problem p;
  p.heads_q = p.heads_k = 3;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = 40;
  return p;
}

Numerics without_scores() {
  Numerics n;
  n.s_store = ScoreStore::none;
  return n;
}

TEST(WriteCap, IsExactlyWhatATiledKernelWrites) {
  for (const Index n_q : {0, 1, 63, 64, 65, 200}) {
    for (const Index n_k : {0, 1, 500}) {
      const Problem p = shaped(n_q, n_k);
      EXPECT_EQ(forward_write_cap(p, without_scores()),
                bytes_written(tiled_forward_traffic(p, kUsualTiles)));
    }
  }
}

TEST(WriteCap, AddsARowOfOAndLseForEachPartOfTheKeys) {
  const Problem p = shaped(10, 130);
  Numerics n = without_scores();
  const Index rows = 30, lse = 4;
  const Index whole = forward_write_cap(p, n);
  n.split = SplitKeys{};
  EXPECT_EQ(forward_write_cap(p, n), whole);
  n.part_k = 64;  // three parts, and eight that may be empty
  n.split = SplitKeys{Format::f32};
  EXPECT_EQ(forward_write_cap(p, n), whole + rows * (3 * 40 * 4 + (3 + 8) * lse));
  n.split = SplitKeys{Format::f16};
  EXPECT_EQ(forward_write_cap(p, n), whole + rows * (3 * 40 * 2 + (3 + 8) * lse));
}

TEST(WriteCap, HoldsForKernelsThatSplitTheirKeys) {
  for (const Index n_k : {0, 1, 130, 5000}) {
    const Problem p = shaped(10, n_k);
    Numerics n = without_scores();
    n.split = SplitKeys{Format::f32};
    for (const KeyParting& parting : {usual_parts(p), many_parts(p)}) {
      n.part_k = parting.part_k;
      EXPECT_LE(bytes_written(split_forward_traffic(p, parting, {4, 1})), forward_write_cap(p, n));
    }
    n.part_k = decode_parts(p).part_k;
    EXPECT_LE(bytes_written(decode_forward_traffic(p)), forward_write_cap(p, n));
  }
}

// Without a mask each tile has a share in every row.
TEST(WriteCap, OfABackwardIsExactlyWhatTheTiledKernelsWrite) {
  Problem p = shaped(70, 130);
  p.pass = Pass::bwd;
  Numerics n = without_scores();
  n.dq_sum = DqSum{DqSum::Kind::one_chain, 64};
  EXPECT_EQ(backward_write_cap(p, n),
            bytes_written(tiled_backward_traffic(p, DqSummed::by_second_pass)));
  n.dq_sum = DqSum{DqSum::Kind::atomic, 64};
  EXPECT_EQ(backward_write_cap(p, n),
            bytes_written(tiled_backward_traffic(p, DqSummed::by_atomics)));
  n.dq_sum = DqSum{DqSum::Kind::one_chain, 64};
  n.group_sum = GroupSum{Format::f32};
  EXPECT_EQ(
      backward_write_cap(p, n),
      bytes_written(tiled_backward_traffic(p, DqSummed::by_second_pass)) + 3 * 130 * (40 + 40) * 4);
}

}  // namespace
}  // namespace attest::write_cap_test
