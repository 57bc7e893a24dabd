// one_product.hpp - the matrix unit's own products, for comparing unit models with hardware.
//
// One warp multiplies one pair of tiles. They are row-major in global memory, and the fragments are
// filled by the PTX ISA's formulas: nothing is shared with the tile layer of attention kernels.
#pragma once

#include <vector>

#include "kernels/machine/machine.hpp"

namespace attest {

struct ProductShape {
  static constexpr int kRows = 16, kDepth = 16, kColumns = 8;
};

inline namespace ATTEST_MACHINE {

// Block n computes d = a b + c of tile n: a 16x16, b 16x8, c and d 16x8.
template <class Element>
struct OneProduct : ProductShape {
  static constexpr int kThreads = kWarpSize;
  static constexpr int kSharedBytes = 0;
  GlobalSpan<const Element> a, b;
  GlobalSpan<const float> c;
  GlobalSpan<float> d;

  OneProduct() = default;
  OneProduct(GlobalSpan<const Element> a_in, GlobalSpan<const Element> b_in,
             GlobalSpan<const float> c_in, GlobalSpan<float> d_in)
      : a(a_in), b(b_in), c(c_in), d(d_in) {}

  ATTEST_DEVICE void operator()() const {
    const int group = lane_index() / 4, pair = 2 * (lane_index() % 4);
    const std::int64_t tile = block_index().x;
    FragmentA<Element> fa;
    FragmentB<Element> fb;
    FragmentC fc;
    ATTEST_UNROLL
    for (int i = 0; i < 4; ++i) {
      const std::int64_t row = tile * kRows + group + 8 * (i % 2);
      fa.pack[i] = packed(a, row * kDepth + pair + 8 * (i / 2), 1);
      fc.value[i] = c.load(at_of_c(tile, group, pair, i));
    }
    ATTEST_UNROLL
    for (int i = 0; i < 2; ++i) {
      fb.pack[i] = packed(b, (tile * kDepth + pair + 8 * i) * kColumns + group, kColumns);
    }
    mma_m16n8k16(fc, fa, fb);
    ATTEST_UNROLL
    for (int i = 0; i < 4; ++i) d.store(at_of_c(tile, group, pair, i), fc.value[i]);
  }

 private:
  ATTEST_DEVICE static std::int64_t at_of_c(std::int64_t tile, int group, int pair, int i) {
    return (tile * kRows + group + 8 * (i / 2)) * kColumns + pair + i % 2;
  }
  ATTEST_DEVICE static std::uint32_t packed(const GlobalSpan<const Element>& span, std::int64_t at,
                                            int step) {
    const std::uint32_t low = span.load(at).bits, high = span.load(at + step).bits;
    return low | high << 16;
  }
};

// As many tiles as `a` holds, one behind the other. Requires: b and c hold as many.
template <class Element, class Machine>
std::vector<float> products_of(Machine& machine, const std::vector<Element>& a,
                               const std::vector<Element>& b, const std::vector<float>& c) {
  std::vector<float> d(c.size());
  const auto count = [](const auto& row) { return static_cast<std::int64_t>(row.size()); };
  const OneProduct<Element> kernel(
      machine.input("a", a.data(), count(a)), machine.input("b", b.data(), count(b)),
      machine.input("c", c.data(), count(c)), machine.output("d", d.data(), count(d)));
  constexpr std::size_t kTile = ProductShape::kRows * ProductShape::kDepth;
  machine.launch(kernel, Grid{static_cast<int>(a.size() / kTile), 1, 1});
  machine.finish();
  return d;
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
