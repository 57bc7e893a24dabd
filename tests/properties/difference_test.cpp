// Goal: two runs are compared bit by bit where bits mean something: a NaN's payload does not, and
// an element that was never written is told from one that holds a NaN.
#include "properties/laws/difference.hpp"

#include <gtest/gtest.h>

namespace attest::difference_test {
namespace {

// One row of two columns.
Outputs outputs_of(std::uint64_t o, std::uint64_t lse) {
  Outputs outputs{Tensor(Format::f16, {1, 1, 1, 2}), Tensor(Format::f32, {1, 1, 1, 1})};
  outputs.o.view().set_bits(0, 0, 0, 1, o);
  outputs.lse.view().set_bits(0, 0, 0, 0, lse);
  return outputs;
}

constexpr std::uint64_t kOne = 0x3f800000;

std::string compare(std::uint64_t o, std::uint64_t other_o, std::uint64_t lse = kOne,
                    std::uint64_t other_lse = kOne) {
  return first_difference(outputs_of(o, lse), outputs_of(other_o, other_lse),
                          [](const NamedOutput&, Index, Index) { return true; });
}

TEST(FirstDifference, SeesTheLastBitAndTheSignOfZero) {
  EXPECT_EQ(compare(0x3c00, 0x3c00), "");
  EXPECT_EQ(compare(0x3c00, 0x3c01), "o[b=0 h=0 i=0 d=1] was 3c00 and is 3c01");
  EXPECT_EQ(compare(0x0000, 0x8000), "o[b=0 h=0 i=0 d=1] was 0000 and is 8000");
  EXPECT_EQ(compare(0, 0, kOne, kOne + 1), "lse[b=0 h=0 i=0] was 3f800000 and is 3f800001");
}

TEST(FirstDifference, LeavesTheSignOfZeroOpenIfAsked) {
  const auto all = [](const NamedOutput&, Index, Index) { return true; };
  const auto open = [&](std::uint64_t o, std::uint64_t other) {
    return first_difference(outputs_of(o, kOne), outputs_of(other, kOne), all, ZeroSign::open);
  };
  EXPECT_EQ(open(0x0000, 0x8000), "");
  EXPECT_NE(open(0x0000, 0x0001), "");
  EXPECT_NE(open(0x8001, 0x0001), "");
}

TEST(FirstDifference, IgnoresThePayloadAndTheSignOfANan) {
  EXPECT_EQ(compare(0x7e00, 0xfe00), "");
  EXPECT_EQ(compare(0x7fff, 0x7c01), "");
  EXPECT_EQ(compare(0, 0, 0x7fc00000, 0xffc00001), "");
  EXPECT_NE(compare(0x7e00, 0x7c00), "");  // an infinity is none
  EXPECT_NE(compare(0x7e00, 0x3c00), "");
}

TEST(FirstDifference, TellsWhatWasNeverWrittenFromAnyNan) {
  const std::uint64_t poison = poison_bits(Format::f16);
  EXPECT_EQ(compare(poison, poison), "");
  EXPECT_NE(compare(poison, 0x7e00), "");
  EXPECT_NE(compare(0x7e00, poison), "");
}

TEST(FirstDifference, LooksAtChosenRowsOnly) {
  const auto none = [](const NamedOutput&, Index, Index) { return false; };
  EXPECT_EQ(first_difference(outputs_of(1, 2), outputs_of(3, 4), none), "");
}

}  // namespace
}  // namespace attest::difference_test
