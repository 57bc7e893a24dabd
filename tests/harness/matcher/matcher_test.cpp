// Goal: what a test elsewhere hands over in one line arrives as it is, whatever its pass and
// strides, and what is no verdict is no match either way. (tests/install does so from outside of
// the tree.)
//
// With one key every weight is 1, so that O is v, LSE is the score, and dS is the gradient of LSE:
// all of it exact in f16.
#include <gtest/gtest.h>
#include <attest/matcher.hpp>

#include <cstdlib>

namespace {

using Bits = std::vector<std::uint16_t>;
constexpr std::uint16_t kHalf = 0x3800, kOne = 0x3c00, kTwo = 0x4000, kThree = 0x4200,
                        kFour = 0x4400;

// Two heads of three queries, one key head; two columns.
attest::Problem one_key() {
  attest::Problem problem;
  problem.heads_q = 2;
  problem.n_q = 3;
  problem.d_qk = problem.d_v = 2;
  return problem;
}

struct Tensors {
  // [head, row, column]
  Bits q = {kOne, kOne, kTwo, kOne, kHalf, kHalf, kOne, kTwo, kTwo, kTwo, kOne, kHalf};
  Bits k = {kOne, kTwo};
  Bits v = {kThree, kFour};
  Bits o = {kThree, kFour, kThree, kFour, kThree, kFour,
            kThree, kFour, kThree, kFour, kThree, kFour};
  std::vector<float> lse = {3, 4, 1.5f, 5, 6, 2};
  Bits dout = Bits(12, kHalf);
  std::vector<float> glse = {0, 0, 0, 0, 0, 1};
  // dQ = gL k, dK = the sum of gL q, dV = that of dO.
  Bits dq = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kOne, kTwo};
  Bits dk = {kOne, kHalf};
  Bits dv = {kThree, kThree};

  [[nodiscard]] attest::Forward forward() const {
    return {one_key(), q.data(), k.data(), v.data(), o.data(), lse.data()};
  }
  [[nodiscard]] attest::Backward backward() const {
    return {one_key(),   q.data(),  k.data(),  v.data(),  o.data(),   lse.data(),
            dout.data(), dq.data(), dk.data(), dv.data(), glse.data()};
  }
};

// The same values as [row, head, column].
Bits rows_first(const Bits& bits) {
  Bits moved;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t head = 0; head < 2; ++head) {
      moved.insert(moved.end(), bits.begin() + static_cast<std::ptrdiff_t>(6 * head + 2 * row),
                   bits.begin() + static_cast<std::ptrdiff_t>(6 * head + 2 * row + 2));
    }
  }
  return moved;
}

TEST(IsAccepted, TakesAForwardAndABackwardOfExactValues) {
  const Tensors tensors;
  EXPECT_THAT(tensors.forward(), attest::IsAccepted());
  EXPECT_THAT(tensors.backward(), attest::IsAccepted("p_format=f32", "dead_o=zero"));
  attest::Backward without_glse = tensors.backward();
  without_glse.glse = {};
  EXPECT_THAT(without_glse, testing::Not(attest::IsAccepted()));  // dq and dk say otherwise
}

TEST(IsAccepted, ReadsAnyStrides) {
  const Tensors tensors;
  const Bits q = rows_first(tensors.q), o = rows_first(tensors.o);
  attest::Forward moved = tensors.forward();
  moved.q = {q.data(), {12, 2, 4, 1}};
  moved.o = {o.data(), {12, 2, 4, 1}};
  EXPECT_THAT(moved, attest::IsAccepted());
  moved.q = q.data();
  EXPECT_THAT(moved, testing::Not(attest::IsAccepted()));
}

TEST(IsAccepted, ExplainsARejectionByTheReport) {
  Tensors tensors;
  tensors.lse[4] = 6.5f;
  testing::StringMatchResultListener listener;
  EXPECT_FALSE(testing::ExplainMatchResult(attest::IsAccepted(), tensors.forward(), &listener));
  EXPECT_THAT(listener.str(), testing::HasSubstr("law accuracy  element lse[b=0 h=1 i=1]"));
  EXPECT_THAT(testing::PrintToString(tensors.forward()),
              testing::StartsWith("a forward pass of attest1:b=1;hq=2;hk=1;nq=3;nk=1;"));
}

TEST(IsAccepted, IsNeitherMetNorMissedWithoutAVerdict) {
  const Tensors tensors;
  attest::Forward nobody = tensors.forward();
  nobody.problem.scale = -1;
  EXPECT_THROW((void)attest::judge(nobody), std::runtime_error);
  EXPECT_THROW((void)attest::judge(tensors.forward(), {"exponent=fast", ""}), std::runtime_error);
  EXPECT_THROW((void)attest::check(attest::Plugin("./nowhere.so")), std::runtime_error);
  setenv("ATTEST_PROGRAM", "/nowhere/attest", 1);
  EXPECT_THROW((void)attest::judge(tensors.forward()), std::runtime_error);
  unsetenv("ATTEST_PROGRAM");
}

}  // namespace
