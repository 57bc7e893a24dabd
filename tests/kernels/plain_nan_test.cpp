// Goal: the healthy kernel keeps what it declares by nonfinite=row_local, and stores a NaN as one
// pattern, so that laws which compare bits see no difference between two of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/plain.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_nan_test {
namespace {

// The rows, and for V the columns, in which a NaN at one place changes a causal run from `clean`;
// there all outputs must be NaN.
struct Reach {
  std::vector<Index> rows;  // of O or LSE
  Index elements = 0;       // of O
  Index lses = 0;
};

Reach reach_of_nan(Tensor Inputs::*tensor, Index row, Index column) {
  Problem p;
  p.n_q = 6;
  p.n_k = 20;
  p.d_qk = p.d_v = 3;
  p.right = 0;
  Inputs inputs = gaussian_inputs(p, 12);
  const Result clean = run(*make_plain("plain"), p, inputs);
  set(inputs.*tensor, 0, 0, row, column, std::numeric_limits<double>::quiet_NaN());
  const Result nan = run(*make_plain("plain"), p, inputs);
  Reach reach;
  for (Index i = 0; i < p.n_q; ++i) {
    Index hits = 0;
    for (Index k = 0; k < p.d_v; ++k) {
      if (nan.o.view().bits(0, 0, i, k) == clean.o.view().bits(0, 0, i, k)) continue;
      EXPECT_EQ(nan.o.view().bits(0, 0, i, k), round_to_stored(p.out, NAN));
      ++hits;
    }
    reach.elements += hits;
    if (nan.lse.view().bits(0, 0, i, 0) != clean.lse.view().bits(0, 0, i, 0)) {
      EXPECT_EQ(nan.lse.view().bits(0, 0, i, 0), round_to_stored(Format::f32, NAN));
      ++reach.lses;
      ++hits;
    }
    if (hits > 0) reach.rows.push_back(i);
  }
  return reach;
}

TEST(Plain, KeepsANanToTheRowsThatSeeItAndShowsItThereAsOnePattern) {
  const Reach query = reach_of_nan(&Inputs::q, 2, 1);
  EXPECT_EQ(query.rows, std::vector<Index>{2});
  EXPECT_EQ(query.elements, 3);
  EXPECT_EQ(query.lses, 1);
  const Reach key = reach_of_nan(&Inputs::k, 18, 0);  // rows 4 and 5 see it
  EXPECT_EQ(key.rows, (std::vector<Index>{4, 5}));
  EXPECT_EQ(key.elements, 6);
  EXPECT_EQ(key.lses, 2);
  const Reach value = reach_of_nan(&Inputs::v, 17, 2);
  EXPECT_EQ(value.rows, (std::vector<Index>{3, 4, 5}));
  EXPECT_EQ(value.elements, 3);
  EXPECT_EQ(value.lses, 0);
}

}  // namespace
}  // namespace attest::plain_nan_test
