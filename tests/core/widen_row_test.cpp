// Goal: a row widened at once is what widening its elements one by one gives, in every format, for
// every kind of value and stride.
#include "core/widen_row.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "core/random.hpp"

namespace attest::widen_row_test {
namespace {

std::uint64_t pattern_of(Format format, std::uint32_t n) {
  const int bits = shape_of(format).bits;
  if (bits <= 16) return n;  // every one of them
  const RandomBits any = random_bits(11, {0, 0, 0, n, 0});
  const std::uint64_t both = std::uint64_t{any[0]} << 32 | any[1];
  return both >> (64 - bits);
}

class EveryFormat : public testing::TestWithParam<Format> {};

TEST_P(EveryFormat, IsWidenedAsElementByElement) {
  const Format format = GetParam();
  const Index count = shape_of(format).bits == 8 ? 256 : 65536;
  Tensor tensor(format, {1, 1, 1, count});
  const TensorView view = tensor.view();
  for (Index c = 0; c < count; ++c) {
    view.set_bits(0, 0, 0, c, pattern_of(format, static_cast<std::uint32_t>(c)));
  }
  std::vector<double> row(static_cast<std::size_t>(count));
  widen_row(view, 0, 0, 0, row.data());
  for (Index c = 0; c < count; ++c) {
    const double one = view.value(0, 0, 0, c);
    const double same = row[static_cast<std::size_t>(c)];
    if (std::isnan(one)) {
      ASSERT_TRUE(std::isnan(same)) << c;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(one), std::bit_cast<std::uint64_t>(same)) << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WidenRow, EveryFormat, testing::ValuesIn(kFormats),
                         [](const auto& test) { return std::string(shape_of(test.param).name); });

TEST(WidenRow, FollowsStridesAndStaysInsideItsRow) {
  Tensor tensor(Format::f16, {1, 2, 3, 4});
  for (std::size_t n = 0; n < 24; ++n) {
    const double value = static_cast<double>(n);
    const std::uint64_t bits = round_to_bits(Format::f16, value);
    std::memcpy(tensor.bytes().data() + 2 * n, &bits, 2);
  }
  ConstTensorView backwards = tensor.view();
  backwards.data += 2 * 3;
  backwards.strides[3] = -1;
  std::vector<double> row(5, -7.0);
  widen_row(backwards, 0, 1, 2, row.data());
  EXPECT_EQ(row, (std::vector<double>{23, 22, 21, 20, -7}));
}

TEST(WidenRow, LeavesNothingOfARowWithoutColumns) {
  const Tensor tensor(Format::bf16, {1, 1, 1, 0});
  double untouched = 3;
  widen_row(tensor.view(), 0, 0, 0, &untouched);
  EXPECT_EQ(untouched, 3);
}

}  // namespace
}  // namespace attest::widen_row_test
