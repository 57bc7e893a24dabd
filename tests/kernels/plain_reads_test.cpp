// Goal: the healthy kernel reads the elements that are a row's business, wherever they lie, and
// lets nothing else through.
#include "kernels/canaries/plain.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/pairwise_softmax.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_reads_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(PlainReads, TheKeysOfItsGroup) {
  Problem p;
  p.heads_q = 6;
  p.heads_k = 2;
  Inputs inputs = gaussian_inputs(p, 1);
  for (const Index h : {0, 1}) set(inputs.v, 0, h, 0, 0, static_cast<double>(h));
  const Result observed = run(*make_plain("plain"), p, inputs);
  for (Index h = 0; h < 6; ++h) EXPECT_EQ(observed.o.view().value(0, h, 0, 0), h < 3 ? 0 : 1);
}

// The same elements stored [b, row, h, column], with the rows backwards.
struct Permuted {
  std::vector<std::byte> bytes;
  TensorView view;

  explicit Permuted(const Tensor& from) : bytes(from.bytes().size()) {
    const auto [b, h, rows, columns] = from.extents();
    std::byte* last_row = bytes.data() + (rows - 1) * h * columns * bytes_of(from.format());
    view = {
        last_row, from.format(), from.extents(), {rows * h * columns, columns, -h * columns, 1}};
    for_each(from.extents(), [&](Index at_b, Index at_h, Index row, Index column) {
      view.set_bits(at_b, at_h, row, column, from.view().bits(at_b, at_h, row, column));
    });
  }
};

TEST(PlainReads, TheSameElementsInEveryLayout) {
  Problem p;
  p.batch = 2;
  p.heads_q = 4;
  p.heads_k = 2;
  p.n_q = 5;
  p.n_k = 21;
  p.d_qk = 8;
  p.d_v = 3;
  const Inputs inputs = gaussian_inputs(p, 9);
  const auto plain = make_plain("plain");
  const Result straight = run(*plain, p, inputs);
  Permuted q(inputs.q);
  Permuted k(inputs.k);
  Permuted v(inputs.v);
  Permuted o(Tensor(p.out, p.o_extents()));
  Permuted lse(Tensor(Format::f32, p.lse_extents()));
  (void)plain->run(p, {q.view, k.view, v.view}, {o.view, lse.view}, {});
  for_each(p.o_extents(), [&](Index b, Index h, Index i, Index column) {
    EXPECT_EQ(o.view.bits(b, h, i, column), straight.o.view().bits(b, h, i, column));
    EXPECT_EQ(lse.view.bits(b, h, i, 0), straight.lse.view().bits(b, h, i, 0));
  });
}

// A window of 5 keys in a problem of 50 keys of which 37 are live.
Problem windowed_problem() {
  Problem p;
  p.n_q = 9;
  p.n_k = 50;
  p.d_qk = p.d_v = 4;
  p.left = 2;
  p.right = 2;
  p.lq = {7};
  p.lk = {37};
  return p;
}

TEST(PlainReads, NothingThatNoRowSees) {
  const Problem p = windowed_problem();
  const Inputs clean = gaussian_inputs(p, 5);
  const auto plain = make_plain("plain");
  for (const double poison : {kNan, kInfinity, -kInfinity, 6e4}) {
    Inputs poisoned = clean;
    for (Index j = 0; j < p.n_k; ++j) {
      bool seen = false;
      for (Index i = 0; i < p.n_q; ++i) seen = seen || pair_is_live(p, 0, i, j);
      for (Index c = 0; c < 4 && !seen; ++c) {
        set(poisoned.k, 0, 0, j, c, poison);
        set(poisoned.v, 0, 0, j, c, poison);
      }
    }
    for (Index c = 0; c < 4; ++c) set(poisoned.q, 0, 0, 8, c, poison);  // beyond lq
    ASSERT_NE(poisoned, clean);
    EXPECT_EQ(run(*plain, p, poisoned), run(*plain, p, clean)) << poison;
  }
}

TEST(PlainReads, ANanInTheRowsThatSeeItAlone) {
  const Problem p = windowed_problem();
  const Inputs clean = gaussian_inputs(p, 5);
  const auto plain = make_plain("plain");
  const Result before = run(*plain, p, clean);
  constexpr Index kBad = 33;
  Inputs with_v = clean;
  set(with_v.v, 0, 0, kBad, 1, kNan);
  Inputs with_k = clean;
  set(with_k.k, 0, 0, kBad, 1, kNan);
  const Result after_v = run(*plain, p, with_v);
  const Result after_k = run(*plain, p, with_k);
  for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
    const bool sees = pair_is_live(p, b, i, kBad);
    const auto same = [&](const Result& after) {
      return after.o.view().bits(b, h, i, k) == before.o.view().bits(b, h, i, k);
    };
    EXPECT_EQ(std::isnan(after_v.o.view().value(b, h, i, k)), sees && k == 1);
    EXPECT_EQ(same(after_v), !(sees && k == 1));
    EXPECT_EQ(std::isnan(after_k.o.view().value(b, h, i, k)), sees);
    EXPECT_EQ(same(after_k), !sees);
    EXPECT_EQ(std::isnan(after_k.lse.view().value(b, h, i, 0)), sees);
    EXPECT_EQ(after_v.lse.view().bits(b, h, i, 0), before.lse.view().bits(b, h, i, 0));
  });
}

}  // namespace
}  // namespace attest::plain_reads_test
