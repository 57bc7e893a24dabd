// Goal: the healthy backward reads what live pairs are made of, wherever it lies, and lets nothing
// else through; a NaN goes where the definition takes it and no further.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kernels/canaries/plain.hpp"
#include "tests/kernels/pairwise_softmax.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_backward_reads_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Dead rows first, then windows of five keys; keys before and behind every window.
Problem windowed_problem() {
  Problem p;
  p.heads_q = 4;
  p.heads_k = 2;
  p.n_q = 9;
  p.n_k = 50;
  p.d_qk = 4;
  p.d_v = 3;
  p.left = 2;
  p.right = 2;
  p.align = Align::top_left;
  p.lq = {8};
  p.lk = {5};
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  return p;
}

bool any_live(const Problem& p, Index i, Index j) {
  return i < p.n_q && j < p.n_k && pair_is_live(p, 0, i, j);
}

bool row_is_live(const Problem& p, Index i) {
  for (Index j = 0; j < p.n_k; ++j) {
    if (any_live(p, i, j)) return true;
  }
  return false;
}

bool key_is_seen(const Problem& p, Index j) {
  for (Index i = 0; i < p.n_q; ++i) {
    if (any_live(p, i, j)) return true;
  }
  return false;
}

void poison_rows(Tensor& tensor, Index rows_from, double poison) {
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    if (row >= rows_from) set(tensor, b, h, row, column, poison);
  });
}

TEST(PlainBackwardReads, NothingOfRowsAndKeysWithoutALivePair) {
  const Problem p = windowed_problem();
  ASSERT_TRUE(row_is_live(p, 6));
  ASSERT_FALSE(row_is_live(p, 7));  // below lq, and dead
  ASSERT_FALSE(key_is_seen(p, 5));
  const Inputs clean = gaussian_inputs(p, 5);
  const auto plain = make_plain("plain");
  const Result forward = run(*plain, p, clean);
  for (const PlainForm& form : plain_forms()) {
    const auto subject = make_plain("plain", form.config);
    const GradientTensors before = run_backward(*subject, p, clean, forward);
    for (const double poison : {kNan, std::numeric_limits<double>::infinity(), 6e4}) {
      Inputs inputs = clean;
      Result stored = forward;
      for (Tensor* tensor : {&inputs.q, &inputs.dout, &inputs.glse, &stored.o, &stored.lse}) {
        poison_rows(*tensor, 7, poison);
      }
      for (Tensor* tensor : {&inputs.k, &inputs.v}) poison_rows(*tensor, 5, poison);
      EXPECT_EQ(run_backward(*subject, p, inputs, stored), before) << form.name << " " << poison;
    }
    for_each(p.k_extents(), [&](Index b, Index h, Index j, Index c) {
      const std::uint64_t bits = before.dk.view().bits(b, h, j, c);
      EXPECT_TRUE(j < 5 || bits == 0);
    });
    for_each(p.q_extents(), [&](Index b, Index h, Index i, Index c) {
      const std::uint64_t bits = before.dq.view().bits(b, h, i, c);
      EXPECT_TRUE(i < 7 || bits == 0);
    });
  }
}

// Whether each element that changed is NaN, and how many did.
Index spread(const Tensor& before, const Tensor& after,
             const std::function<bool(Index, Index, Index)>& reached) {
  Index changed = 0;
  for_each(before.extents(), [&](Index b, Index h, Index row, Index column) {
    const bool differs =
        before.view().bits(b, h, row, column) != after.view().bits(b, h, row, column);
    EXPECT_EQ(differs, reached(h, row, column)) << h << " " << row << " " << column;
    EXPECT_TRUE(!differs || std::isnan(after.view().value(b, h, row, column)));
    changed += differs ? 1 : 0;
  });
  return changed;
}

TEST(PlainBackwardReads, ANanInDoutWhereItsRowGoes) {
  const Problem p = windowed_problem();
  Inputs inputs = gaussian_inputs(p, 6);
  const auto plain = make_plain("plain");
  const GradientTensors before = run_backward(*plain, p, inputs);
  constexpr Index kRow = 4;
  set(inputs.dout, 0, 1, kRow, 2, kNan);  // head 1 is of key head 0
  const GradientTensors after = run_backward(*plain, p, inputs);
  const auto sees = [&](Index j) { return any_live(p, kRow, j); };
  EXPECT_GT(
      spread(before.dq, after.dq, [&](Index h, Index i, Index) { return h == 1 && i == kRow; }), 0);
  EXPECT_GT(spread(before.dk, after.dk, [&](Index h, Index j, Index) { return h == 0 && sees(j); }),
            0);
  EXPECT_GT(spread(before.dv, after.dv,
                   [&](Index h, Index j, Index k) { return h == 0 && k == 2 && sees(j); }),
            0);
}

TEST(PlainBackwardReads, ANanInVWhereRowsSeeIt) {
  const Problem p = windowed_problem();
  Inputs inputs = gaussian_inputs(p, 7);
  const auto plain = make_plain("plain");
  const GradientTensors before = run_backward(*plain, p, inputs);
  constexpr Index kKey = 0;
  set(inputs.v, 0, 1, kKey, 1, kNan);
  const GradientTensors after = run_backward(*plain, p, inputs);
  const auto shares_a_row = [&](Index j) {
    for (Index i = 0; i < p.n_q; ++i) {
      if (any_live(p, i, kKey) && any_live(p, i, j)) return true;
    }
    return false;
  };
  spread(before.dq, after.dq,
         [&](Index h, Index i, Index) { return h >= 2 && any_live(p, i, kKey); });
  spread(before.dk, after.dk, [&](Index h, Index j, Index) { return h == 1 && shares_a_row(j); });
  EXPECT_EQ(before.dv, after.dv);
}

TEST(PlainBackwardReads, ZeroLengthEntriesGetZeros) {
  Problem p = windowed_problem();
  p.batch = 3;
  p.lq = {8, 0, 8};
  p.lk = {5, 5, 0};
  const GradientTensors g = run_backward(*make_plain("plain"), p, gaussian_inputs(p, 8));
  const auto expect_zeros = [](const Tensor& tensor) {
    Index live = 0;
    for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
      const std::uint64_t bits = tensor.view().bits(b, h, row, column);
      EXPECT_TRUE(b == 0 || bits == 0);
      live += b == 0 && bits != 0 ? 1 : 0;
    });
    EXPECT_GT(live, 0);
  };
  expect_zeros(g.dq);
  expect_zeros(g.dk);
  expect_zeros(g.dv);
}

}  // namespace
}  // namespace attest::plain_backward_reads_test
