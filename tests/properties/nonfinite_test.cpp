// Goal: only an input that some row sees, and that is no number, frees a subject from a law, and
// only one that does not declare that it keeps such inputs to the rows that see them.
#include "properties/laws/nonfinite.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/properties/drawn.hpp"

namespace attest::nonfinite_test {
namespace {

constexpr double kBad[] = {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()};

// Two heads. Rows 0 and 1 of the second entry are live, the third lies beyond; keys 3 and 4 of that
// entry are seen by nobody.
Problem sample() {
  Problem p = open_problem(Format::f16, 3, 5, 2);
  p.batch = 2;
  p.heads_q = p.heads_k = 2;
  p.lq = {3, 2};
  p.lk = {5, 3};
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  return p;
}

Semantics declaring(NonFinite nonfinite) {
  Semantics semantics;
  semantics.nonfinite = nonfinite;
  return semantics;
}

bool spreads(Tensor Inputs::*tensor, Index row, double value,
             NonFinite declared = NonFinite::propagate) {
  Inputs inputs = values_of("F0", sample(), 3);
  const Index column = (inputs.*tensor).extents()[3] - 1;
  (inputs.*tensor)
      .view()
      .set_bits(1, 1, row, column, round_to_bits((inputs.*tensor).format(), value));
  return may_spread(sample(), inputs, declaring(declared));
}

TEST(NonFinite, InputsThatARowSeesMaySpread) {
  for (const double bad : kBad) {
    EXPECT_TRUE(spreads(&Inputs::q, 1, bad));
    EXPECT_TRUE(spreads(&Inputs::k, 2, bad));
    EXPECT_TRUE(spreads(&Inputs::v, 2, bad));
    EXPECT_TRUE(spreads(&Inputs::dout, 1, bad));
    EXPECT_TRUE(spreads(&Inputs::glse, 1, bad));
    EXPECT_TRUE(spreads(&Inputs::v, 2, bad, NonFinite::unspecified));
  }
}

// In every format that has them: the widest, and one whose lowest bits carry nothing.
TEST(NonFinite, InputsOfEveryFormatMaySpread) {
  for (const Format format : kFormats) {
    Problem p = open_problem(format, 3, 70, 2);
    Inputs inputs = zero_inputs(p);
    EXPECT_FALSE(may_spread(p, inputs, declaring(NonFinite::propagate))) << shape_of(format).name;
    for (const Index row : {0, 33, 69}) {
      inputs = zero_inputs(p);
      inputs.k.view().set_bits(0, 0, row, 1, round_to_bits(format, kBad[0]));
      EXPECT_TRUE(may_spread(p, inputs, declaring(NonFinite::propagate))) << shape_of(format).name;
    }
  }
}

TEST(NonFinite, NothingSpreadsWhereASubjectDeclaresSo) {
  for (const double bad : kBad) {
    EXPECT_FALSE(spreads(&Inputs::q, 1, bad, NonFinite::row_local));
    EXPECT_FALSE(spreads(&Inputs::k, 2, bad, NonFinite::row_local));
    EXPECT_FALSE(spreads(&Inputs::v, 2, bad, NonFinite::row_local));
    EXPECT_FALSE(spreads(&Inputs::dout, 1, bad, NonFinite::row_local));
    EXPECT_FALSE(spreads(&Inputs::glse, 1, bad, NonFinite::row_local));
  }
}

TEST(NonFinite, UnseenBytesAndNumbersNeverSpread) {
  EXPECT_FALSE(spreads(&Inputs::v, 2, 65504));
  for (const double bad : kBad) {
    EXPECT_FALSE(spreads(&Inputs::q, 2, bad));
    EXPECT_FALSE(spreads(&Inputs::k, 3, bad));
    EXPECT_FALSE(spreads(&Inputs::v, 4, bad));
    EXPECT_FALSE(spreads(&Inputs::dout, 2, bad));
    EXPECT_FALSE(spreads(&Inputs::glse, 2, bad));
  }
}

}  // namespace
}  // namespace attest::nonfinite_test
