#include "tests/oracle/gradient_cases.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kSeed = 20250613;
constexpr std::uint32_t kGlse = 16;
constexpr std::uint32_t kStored = 17;

template <class Value>
void fill(Tensor& tensor, std::uint32_t id, Value value) {
  const TensorView view = tensor.view();
  const auto u32 = [](Index n) { return static_cast<std::uint32_t>(n); };
  for (Index b = 0; b < view.extents[0]; ++b) {
    for (Index h = 0; h < view.extents[1]; ++h) {
      for (Index row = 0; row < view.extents[2]; ++row) {
        for (Index column = 0; column < view.extents[3]; ++column) {
          const Coordinates at{id, u32(b), u32(h), u32(row), u32(column)};
          view.set_bits(b, h, row, column, round_to_bits(view.format, value(at)));
        }
      }
    }
  }
}

}  // namespace

DrawnGradients draw_gradient_case(std::uint64_t index) {
  DrawnCase drawn = draw_oracle_case(index);
  const std::uint64_t seed = kSeed + index;
  Problem& p = drawn.problem;
  p.pass = Pass::bwd;
  p.out = kFormats[(index + index / 4) % 4];
  p.lse_gradient = index % 3 != 0;
  Inputs inputs = zero_inputs(p);
  inputs.q = drawn.inputs.q;
  inputs.k = drawn.inputs.k;
  inputs.v = drawn.inputs.v;
  const bool wide = index % 5 == 1;
  fill(inputs.dout, kTensorDout, [&](const Coordinates& at) {
    if ((at.row + at.h) % 4 == 3) return 0.0;
    const double x = gaussian(seed, at);
    return wide ? std::ldexp(x, static_cast<int>(at.row * 5 + at.column * 11) % 25 - 12) : x;
  });
  if (index % 5 == 2) {
    fill(inputs.v, kTensorV,
         [&](const Coordinates& at) { return 3 + std::floor(4 * gaussian(seed, at)) / 64; });
  }
  if (p.lse_gradient) {
    fill(inputs.glse, kGlse,
         [&](const Coordinates& at) { return at.row % 3 == 2 ? 0 : gaussian(seed, at); });
  }
  DrawnGradients result{p, drawn.kind, inputs, Tensor(p.out, p.o_extents()),
                        Tensor(Format::f32, p.lse_extents())};
  const Answer exact = enclose_forward(p, inputs);
  fill(result.o, kStored, [&](const Coordinates& at) {
    const std::size_t row = row_index(p, at.b, at.h, at.row);
    const double largest = largest_finite(p.out);
    const double o = exact.o[row * static_cast<std::size_t>(p.d_v) + at.column].lo;
    return std::max(-largest, std::min(largest, o));
  });
  const bool far_off = index % 7 == 3;
  fill(result.lse, kStored + 1, [&](const Coordinates& at) {
    const double lse = exact.lse[row_index(p, at.b, at.h, at.row)].lo;
    const double error = std::ldexp(gaussian(seed, at), far_off && at.row % 4 == 1 ? 4 : -20);
    return lse + error;
  });
  return result;
}

StoredForward stored_of(const DrawnGradients& drawn, bool d_from_p) {
  return {drawn.o.view(), drawn.lse.view(), d_from_p};
}

}  // namespace attest
