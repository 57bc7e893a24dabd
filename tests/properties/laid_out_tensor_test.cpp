// Goal: elements keep their bits wherever they are laid, a dense reading stays inside the buffer,
// and a guard that fell is seen.
#include "properties/laws/laid_out_tensor.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/runs.hpp"

namespace attest::laid_out_tensor_test {
namespace {

constexpr Layout kLayouts[] = {Layout::dense, Layout::sliced, Layout::heads_inside,
                               Layout::columns_apart, Layout::rows_backwards};
constexpr std::uint64_t kGuard = 0x7eda;

Tensor sample(const Extents& extents = {2, 3, 4, 5}) {
  Tensor tensor(Format::f16, extents);
  fill_gaussian(tensor, kTensorQ, 1);
  return tensor;
}

TEST(LaidOutTensor, HoldsTheElementsInEveryLayout) {
  for (const Extents& extents : {Extents{2, 3, 4, 5}, Extents{1, 1, 1, 1}, Extents{1, 2, 0, 4}}) {
    for (const Layout layout : kLayouts) {
      const LaidOutTensor laid_out(sample(extents), layout, kGuard);
      EXPECT_EQ(laid_out.dense(), sample(extents)) << name_of(layout);
      EXPECT_TRUE(laid_out.guards_stand()) << name_of(layout);
    }
  }
}

TEST(LaidOutTensor, HasTheStridesOfItsName) {
  const auto strides = [](Layout layout) {
    return LaidOutTensor(sample(), layout, kGuard).view().strides;
  };
  EXPECT_EQ(strides(Layout::dense), (Extents{60, 20, 5, 1}));
  EXPECT_EQ(strides(Layout::sliced), (Extents{144, 48, 8, 1}));
  EXPECT_EQ(strides(Layout::heads_inside), (Extents{144, 8, 24, 1}));
  EXPECT_EQ(strides(Layout::columns_apart), (Extents{144, 48, 1, 6}));
  EXPECT_EQ(strides(Layout::rows_backwards), (Extents{144, 48, -8, 1}));
}

TEST(LaidOutTensor, SeesAnyByteBesideTheElements) {
  for (const Layout layout : kLayouts) {
    LaidOutTensor laid_out(sample(), layout, kGuard);
    TensorView view = laid_out.view();
    view.set_bits(1, 2, 3, 4, 0);  // an element may change
    EXPECT_TRUE(laid_out.guards_stand()) << name_of(layout);
    // The element before the first one in memory and the one behind the last are none.
    Index first = 0;
    Index last = 0;
    for_each(view.extents, [&](Index b, Index h, Index row, Index column) {
      const Index at = (view.at(b, h, row, column) - view.data) / 2;
      first = std::min(first, at);
      last = std::max(last, at);
    });
    for (const Index at : {first - 1, last + 1}) {
      LaidOutTensor fresh(sample(), layout, kGuard);
      fresh.view().data[2 * at] ^= std::byte{1};
      EXPECT_FALSE(fresh.guards_stand()) << name_of(layout) << " " << at;
    }
  }
}

TEST(LaidOutTensor, HasGuardsWhereADenseReadingLeads) {
  const LaidOutTensor laid_out(sample(), Layout::rows_backwards, kGuard);
  ConstTensorView dense = laid_out.view();
  dense.strides = row_major(dense.extents);
  std::uint64_t bits = 0;
  for_each(dense.extents, [&](Index b, Index h, Index row, Index column) {
    bits |= dense.bits(b, h, row, column);  // the address sanitizer looks on
  });
  EXPECT_NE(bits, 0u);
}

TEST(LaidOutTensor, ExpandsOneElement) {
  Tensor ones(Format::bf16, {2, 2, 3, 4});
  fill(ones, 1);
  const LaidOutTensor laid_out(ones, Layout::expanded, kGuard);
  EXPECT_EQ(laid_out.view().strides, Extents{});
  EXPECT_EQ(laid_out.dense(), ones);
}

}  // namespace
}  // namespace attest::laid_out_tensor_test
