// Goal: rows come out as the elements that core/tensor reads one by one, every pattern of 16 bits
// among them, and from any strides.
#include "judge/widened_rows.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace attest::widened_rows_test {
namespace {

TEST(WidenedRows, AreTheValuesOfEveryPattern) {
  for (const Format format : {Format::f16, Format::bf16}) {
    Tensor tensor(format, {1, 1, 256, 256});
    for (Index n = 0; n < 1 << 16; ++n) {
      tensor.view().set_bits(0, 0, n / 256, n % 256, static_cast<std::uint64_t>(n));
    }
    const std::vector<double> values = widened_rows(tensor.view(), 0, 0, 0, 256);
    for (Index n = 0; n < 1 << 16; ++n) {
      const double exact = tensor.view().value(0, 0, n / 256, n % 256);
      const double value = values[static_cast<std::size_t>(n)];
      if (exact != exact) {
        EXPECT_NE(value, value);
      } else {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(exact)) << n;
      }
    }
  }
}

TEST(WidenedRows, FollowStridesAndBeginWhereTheyAreTold) {
  for (const Format format : {Format::f32, Format::f16}) {
    Tensor tensor(format, {2, 3, 5, 4});
    for (Index n = 0; n < tensor.size(); ++n) {
      tensor.view().set_bits(n / 60, n / 20 % 3, n / 4 % 5, n % 4,
                             round_to_bits(format, static_cast<double>(n)));
    }
    EXPECT_EQ(widened_rows(tensor.view(), 1, 2, 3, 2),
              (std::vector<double>{112, 113, 114, 115, 116, 117, 118, 119}));
    ConstTensorView turned = tensor.view();  // rows and columns change places
    std::swap(turned.extents[2], turned.extents[3]);
    std::swap(turned.strides[2], turned.strides[3]);
    EXPECT_EQ(widened_rows(turned, 0, 1, 1, 1), (std::vector<double>{21, 25, 29, 33, 37}));
    EXPECT_TRUE(widened_rows(tensor.view(), 0, 0, 0, 0).empty());
  }
}

}  // namespace
}  // namespace attest::widened_rows_test
