// values.hpp - what the families are written with: filling a tensor from a function of coordinates,
// and the few draws that several of them share.
//
// A value may depend on the seed and on its own coordinates, never on a shape: a smaller problem
// then holds the same values, which is what lets shrinking keep a failure alive.
#pragma once

#include <cstdint>
#include <span>

#include "core/case.hpp"
#include "core/random.hpp"

namespace attest {

// Private tensor numbers (see core/random.hpp); each draw of a family has its own.
enum PrivateTensor : std::uint32_t {
  kDrawOfCase = 16,
  kDrawOfRow,
  kDrawOfKey,
  kDrawOfColumn,
  kDrawOfShape,
  kDrawOfLaw,
  kDrawOfNan,
  kDrawOfOutlier,  // this one and four more: one for each tensor
  kDrawOfPlan = kDrawOfOutlier + 5,
};

// 32 bits that the whole case shares; `which` tells the parameters of a case apart.
[[nodiscard]] std::uint32_t case_bits(std::uint64_t seed, std::uint32_t which);

// One of `choices`, shared by the whole case.
[[nodiscard]] double case_choice(std::uint64_t seed, std::uint32_t which,
                                 std::span<const double> choices);

// Uniform on {0, ..., count - 1}: small integers, which every format holds.
[[nodiscard]] int small_integer(std::uint64_t seed, const Coordinates& at, std::uint32_t count);

// The same coordinates under a private tensor number.
[[nodiscard]] Coordinates relabelled(Coordinates at, std::uint32_t tensor);

// `value` rounded to the 8 significant bits of bf16: f16 holds it too unless it is tiny or huge.
[[nodiscard]] double eight_bits(double value);

// Weights whose first d sum to sqrt(d), up to their rounding to 8 bits. Under the default scale
// a score built of q_c k_c = m * weight_c is therefore m, whatever d is.
[[nodiscard]] double steady_weight(std::uint32_t column);

// Rounds value(coordinates) into every element; what overflows the format becomes its largest
// finite value, since families never make infinities. A NaN stays one.
template <class Value>
void fill_tensor(Tensor& tensor, TensorId id, Value value);

// Independent Gaussians of the given deviations, the plainest data.
void fill_gaussian(Tensor& tensor, TensorId id, std::uint64_t seed, double deviation = 1);

[[nodiscard]] std::uint64_t bits_without_overflow(Format format, double value);

template <class Value>
void fill_tensor(Tensor& tensor, TensorId id, Value value) {
  const TensorView view = tensor.view();
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          const Coordinates at{id, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(h),
                               static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
          view.set_bits(b, h, row, column, bits_without_overflow(tensor.format(), value(at)));
        }
      }
    }
  }
}

}  // namespace attest
