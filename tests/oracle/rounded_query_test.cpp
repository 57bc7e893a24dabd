// Goal: what binary64 knows of a row holds the exact LSE and D in both views, and a row of which it
// knows too little is refused.
#include "oracle/rounded_query.hpp"

#include <gtest/gtest.h>

#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "tests/oracle/arb_gradients.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::rounded_query_test {
namespace {

HeadTask last_task(const DrawnGradients& c, const std::optional<StoredForward>& stored) {
  return read_head_task(c.problem, c.inputs, stored, 0, c.problem.heads_k - 1);
}

TEST(RoundedQuery, HoldsLseAndD) {
  Index rows = 0;
  for (std::uint64_t index = 0; index < 96; ++index) {
    const DrawnGradients c = draw_gradient_case(index);
    if (c.problem.in == Format::f64) continue;
    const Answer forward = enclose_in_binary64(c.problem, c.inputs);
    for (const bool stage_wise : {false, true}) {
      std::optional<StoredForward> stored;
      if (stage_wise) stored = stored_of(c, index % 2 == 0);
      const HeadTask task = last_task(c, stored);
      const KeyNorms norms = norms_of(task.head);
      for (std::size_t r = 0; r < task.rows.size(); ++r) {
        if (task.parts[r].ds != OutputClass::finite) continue;
        const auto row = round_query(task, norms, forward, r);
        if (!row) continue;
        const Index group = c.problem.heads_q / c.problem.heads_k;
        const auto i = static_cast<Index>(r) % c.problem.n_q;
        const Index h = (c.problem.heads_k - 1) * group + static_cast<Index>(r) / c.problem.n_q;
        const ArbBackwardRow arb = arb_backward_row(c.problem, c.inputs, stored, 0, h, i);
        EXPECT_FALSE(is_outside(arb.lse, {row->lse - row->lse_error, row->lse + row->lse_error}));
        EXPECT_FALSE(is_outside(arb.d, {row->d - row->d_error, row->d + row->d_error}))
            << "case " << index << " row " << r << " stage-wise " << stage_wise;
        for (std::size_t n = 0; n < arb.p.size(); ++n) {
          EXPECT_TRUE(abs(arb.dp[n] - arb.d) <= Ball(row->largest_difference));
        }
        ++rows;
      }
    }
  }
  EXPECT_GE(rows, 400);
}

TEST(RoundedQuery, IsRefusedWhereAStoredLseLiesFarBelow) {
  Problem p;
  p.pass = Pass::bwd;
  p.n_q = p.n_k = 2;
  p.d_qk = p.d_v = 1;
  const Inputs inputs = zero_inputs(p);
  const Answer forward = enclose_forward(p, inputs);
  const Tensor o(p.out, p.o_extents());
  Tensor lse(Format::f32, p.lse_extents());
  lse.view().set_bits(0, 0, 1, 0, round_to_bits(Format::f32, -700));
  const HeadTask task = read_head_task(p, inputs, StoredForward{o.view(), lse.view(), false}, 0, 0);
  const KeyNorms norms = norms_of(task.head);
  EXPECT_TRUE(round_query(task, norms, forward, 0));
  EXPECT_FALSE(round_query(task, norms, forward, 1));
}

}  // namespace
}  // namespace attest::rounded_query_test
