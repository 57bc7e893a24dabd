// Goal: a view reaches the element that its strides say, whatever they are, and nothing outside its
// extents; a tensor owns zeroed bytes in row-major order.
#include "core/tensor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace attest::tensor_test {
namespace {

constexpr Extents kExtents{2, 3, 4, 5};

// Every coordinate of the extents, row-major.
std::vector<Extents> coordinates(const Extents& extents) {
  std::vector<Extents> all;
  for (Index b = 0; b < extents[0]; ++b)
    for (Index h = 0; h < extents[1]; ++h)
      for (Index row = 0; row < extents[2]; ++row)
        for (Index column = 0; column < extents[3]; ++column) all.push_back({b, h, row, column});
  return all;
}

// A tensor whose element at position n, row-major, has the pattern n + 1.
Tensor numbered(Format format, const Extents& extents) {
  Tensor tensor(format, extents);
  std::uint64_t n = 0;
  for (const auto& [b, h, row, column] : coordinates(extents)) {
    tensor.view().set_bits(b, h, row, column, ++n);
  }
  return tensor;
}

TEST(Tensor, StartsAsZeroesOfTheRightSize) {
  for (const Format format : kFormats) {
    const Tensor tensor(format, kExtents);
    EXPECT_EQ(tensor.size(), 120);
    EXPECT_EQ(tensor.bytes(),
              std::vector<std::byte>(static_cast<std::size_t>(120 * bytes_of(format))));
  }
}

TEST(Tensor, LiesRowMajorWithoutGapsInLittleEndianOrder) {
  for (const Format format : kFormats) {
    const Tensor tensor = numbered(format, kExtents);
    const auto width = static_cast<std::size_t>(bytes_of(format));
    for (std::size_t n = 0; n < 120; ++n) {
      ASSERT_EQ(std::to_integer<std::size_t>(tensor.bytes()[n * width]), n + 1);
    }
  }
}

TEST(Tensor, KeepsWholePatternsOfEveryFormat) {
  for (const Format format : kFormats) {
    Tensor tensor(format, {1, 1, 1, 3});
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - shape_of(format).bits);
    tensor.view().set_bits(0, 0, 0, 1, ones);
    EXPECT_EQ(tensor.view().bits(0, 0, 0, 0), 0u);
    EXPECT_EQ(tensor.view().bits(0, 0, 0, 1), ones);
    EXPECT_EQ(tensor.view().bits(0, 0, 0, 2), 0u);
  }
}

TEST(Tensor, IsEqualOnlyBitForBit) {
  Tensor positive(Format::f16, {1, 1, 1, 1});
  Tensor negative = positive;
  negative.view().set_bits(0, 0, 0, 0, 0x8000);  // -0 equals 0 as a number
  EXPECT_EQ(positive.view().value(0, 0, 0, 0), negative.view().value(0, 0, 0, 0));
  EXPECT_NE(positive, negative);
  EXPECT_NE(positive, Tensor(Format::bf16, {1, 1, 1, 1}));
}

TEST(Tensor, MayBeEmpty) {
  const Tensor tensor(Format::f64, {2, 3, 0, 5});
  EXPECT_EQ(tensor.size(), 0);
  EXPECT_TRUE(tensor.bytes().empty());
}

TEST(TensorView, ReadsValuesExactly) {
  Tensor tensor(Format::bf16, {1, 1, 1, 2});
  tensor.view().set_bits(0, 0, 0, 0, 0x3f80);
  tensor.view().set_bits(0, 0, 0, 1, 0x8001);
  EXPECT_EQ(tensor.view().value(0, 0, 0, 0), 1.0);
  EXPECT_EQ(tensor.view().value(0, 0, 0, 1), -0x1p-133);
}

TEST(TensorView, FollowsPermutedStrides) {
  // The same bytes seen as [b, row, h, column] and as its transpose.
  const Tensor tensor = numbered(Format::f32, kExtents);
  const Extents plain = row_major(kExtents);
  const ConstTensorView swapped(tensor.bytes().data(), Format::f32, {2, 4, 3, 5},
                                {plain[0], plain[2], plain[1], plain[3]});
  for (const auto& [b, h, row, column] : coordinates(kExtents)) {
    ASSERT_EQ(swapped.bits(b, row, h, column), tensor.view().bits(b, h, row, column));
  }
}

TEST(TensorView, FollowsZeroAndNegativeStrides) {
  const Tensor tensor = numbered(Format::f16, {1, 1, 3, 4});
  const ConstTensorView broadcast(tensor.bytes().data(), Format::f16, {2, 5, 3, 4}, {0, 0, 4, 1});
  for (const auto& [b, h, row, column] : coordinates(broadcast.extents)) {
    ASSERT_EQ(broadcast.bits(b, h, row, column), tensor.view().bits(0, 0, row, column));
  }
  const ConstTensorView reversed(tensor.view().at(0, 0, 2, 3), Format::f16, {1, 1, 3, 4},
                                 {0, 0, -4, -1});
  for (const auto& [b, h, row, column] : coordinates(reversed.extents)) {
    ASSERT_EQ(reversed.bits(b, h, row, column), tensor.view().bits(0, 0, 2 - row, 3 - column));
  }
}

TEST(TensorView, WritesThroughStridesTouchNothingElse) {
  // Every second column of rows three apart: the gaps stay as they were.
  std::vector<std::byte> bytes(2 * 64, std::byte{0xaa});
  const TensorView view(bytes.data(), Format::f16, {1, 1, 4, 2}, {0, 0, 12, 2});
  for (const auto& [b, h, row, column] : coordinates(view.extents)) {
    view.set_bits(b, h, row, column, 0x1234);
  }
  for (std::size_t element = 0; element < 64; ++element) {
    const bool inside = element < 48 && (element % 12 == 0 || element % 12 == 2);
    ASSERT_EQ(bytes[2 * element], std::byte{static_cast<unsigned char>(inside ? 0x34 : 0xaa)});
    ASSERT_EQ(bytes[2 * element + 1], std::byte{static_cast<unsigned char>(inside ? 0x12 : 0xaa)});
  }
}

TEST(TensorView, OneThatMayWriteIsOneThatMayNot) {
  static_assert(std::is_convertible_v<TensorView, ConstTensorView>);
  static_assert(!std::is_convertible_v<ConstTensorView, TensorView>);
  Tensor tensor(Format::f32, {1, 1, 1, 1});
  const ConstTensorView reading = tensor.view();
  tensor.view().set_bits(0, 0, 0, 0, 0x3f800000);
  EXPECT_EQ(reading.value(0, 0, 0, 0), 1.0);
}

TEST(TensorViewDeathTest, RefusesCoordinatesOutsideItsExtents) {
  const Tensor tensor(Format::f32, kExtents);
  const ConstTensorView view = tensor.view();
  for (std::size_t axis = 0; axis < 4; ++axis) {
    Extents low{}, high{};
    low[axis] = -1;
    high[axis] = kExtents[axis];
    EXPECT_DEATH((void)view.bits(low[0], low[1], low[2], low[3]), "broken contract");
    EXPECT_DEATH((void)view.bits(high[0], high[1], high[2], high[3]), "broken contract");
  }
}

}  // namespace
}  // namespace attest::tensor_test
