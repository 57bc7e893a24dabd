#include "properties/families/values.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

std::uint32_t case_bits(std::uint64_t seed, std::uint32_t which) {
  return random_bits(seed, {kDrawOfCase, 0, 0, 0, which})[0];
}

double case_choice(std::uint64_t seed, std::uint32_t which, std::span<const double> choices) {
  return choices[case_bits(seed, which) % choices.size()];
}

int small_integer(std::uint64_t seed, const Coordinates& at, std::uint32_t count) {
  return static_cast<int>(random_bits(seed, at)[0] % count);
}

Coordinates relabelled(Coordinates at, std::uint32_t tensor) {
  at.tensor = tensor;
  return at;
}

double eight_bits(double value) { return round_to_format(Format::bf16, value); }

double steady_weight(std::uint32_t column) {
  // The square root is correctly rounded everywhere, so the weight is the same on every machine.
  return eight_bits(std::sqrt(column + 1.0) - std::sqrt(static_cast<double>(column)));
}

void fill_gaussian(Tensor& tensor, TensorId id, std::uint64_t seed, double deviation) {
  fill_tensor(tensor, id, [=](const Coordinates& at) { return deviation * gaussian(seed, at); });
}

std::uint64_t bits_without_overflow(Format format, double value) {
  if (std::isnan(value)) return round_to_bits(format, value);
  const double limit = largest_finite(format);
  return round_to_bits(format, std::clamp(value, -limit, limit));
}

}  // namespace attest
