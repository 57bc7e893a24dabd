#include "properties/shrinking/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attest {
namespace {

constexpr std::size_t kMostOfOneLevel = 150;
// Single elements: a failure that needs the first few as they are must not hide the others.
constexpr std::size_t kMostOfElements = 300;

int significant_bits(double value) {
  int exponent = 0;
  double significand = std::frexp(std::fabs(value), &exponent);
  int bits = 0;
  for (; significand != 0; ++bits) {
    significand *= 2;
    significand -= std::floor(significand);
  }
  return bits;
}

// Keeps the leading half of the significant bits.
double fewer_bits(double value) {
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  const int kept = (significant_bits(value) + 1) / 2;
  return std::ldexp(std::trunc(std::ldexp(significand, kept)), exponent - kept);
}

double power_of_two(double value) {
  if (value == 0) return 0;
  return std::copysign(std::ldexp(1.0, std::ilogb(value)), value);
}

// Numbers and the others (NaN, infinities) change apart: a failure may need the one and not care
// about the other.
struct Simplification {
  bool of_numbers;
  double (*apply)(double);
};

constexpr Simplification kSimplifications[] = {
    {false, [](double) { return 0.0; }},
    {false, [](double) { return 1.0; }},
    {true, [](double) { return 0.0; }},
    {true, [](double) { return 1.0; }},
    {true, [](double) { return -1.0; }},
    {true, [](double value) { return std::copysign(2.0, value); }},
    {true, [](double value) { return std::trunc(value); }},
    {true, power_of_two},
    {true, fewer_bits},
};

// Elements [begin, end) of a tensor in row-major order.
struct Region {
  std::size_t begin;
  std::size_t end;
};

// Applies it where it makes an element simpler; false when it makes none simpler.
bool simplify(Tensor& tensor, const Region& region, const Simplification& simplification) {
  const Format format = tensor.format();
  const auto width = static_cast<std::size_t>(bytes_of(format));
  bool changed = false;
  for (std::size_t at = region.begin; at < region.end; ++at) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.bytes().data() + at * width, width);
    const double value = widen_bits(format, bits);
    if (std::isfinite(value) != simplification.of_numbers) continue;
    const std::uint64_t simpler = round_to_bits(format, simplification.apply(value));
    if (complexity(format, simpler) >= complexity(format, bits)) continue;
    std::memcpy(tensor.bytes().data() + at * width, &simpler, width);
    changed = true;
  }
  return changed;
}

// How long the regions of each level are: the whole, half of it, a row, an element.
std::vector<std::size_t> region_lengths(const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.size());
  std::vector<std::size_t> lengths;
  for (const std::size_t length :
       {size, (size + 1) / 2, static_cast<std::size_t>(tensor.extents()[3]), std::size_t{1}}) {
    if (size > 0 && (lengths.empty() || length < lengths.back())) lengths.push_back(length);
  }
  return lengths;
}

constexpr Tensor Inputs::*kTensors[] = {&Inputs::glse, &Inputs::dout, &Inputs::v, &Inputs::k,
                                        &Inputs::q};

void simplify_regions(const Inputs& inputs, Tensor Inputs::*which, std::size_t length,
                      std::size_t most, std::vector<Inputs>& found) {
  const auto size = static_cast<std::size_t>((inputs.*which).size());
  for (std::size_t begin = 0; begin < size; begin += length) {
    for (const Simplification& simplification : kSimplifications) {
      if (found.size() >= most) return;
      Inputs candidate = inputs;
      if (simplify(candidate.*which, {begin, std::min(begin + length, size)}, simplification)) {
        found.push_back(std::move(candidate));
      }
    }
  }
}

}  // namespace

int complexity(Format format, std::uint64_t bits) {
  const double value = widen_bits(format, bits);
  if (!std::isfinite(value)) return std::isnan(value) ? 20'000 : 10'000;
  if (value == 0) return std::signbit(value) ? 3 : 0;
  if (value == 1) return 1;
  if (value == -1) return 2;
  return 4 + 8 * significant_bits(value) + std::abs(std::ilogb(value)) + (value < 0 ? 1 : 0);
}

std::vector<Inputs> simpler_values(const Inputs& inputs) {
  std::vector<Inputs> found;
  // Level by level over all tensors, so that a long tensor does not keep the others from a turn.
  for (std::size_t level = 0; level < 4; ++level) {
    const std::size_t before = found.size();
    for (const auto which : kTensors) {
      const std::vector<std::size_t> lengths = region_lengths(inputs.*which);
      if (level >= lengths.size()) continue;
      const std::size_t most = lengths[level] == 1 ? kMostOfElements : kMostOfOneLevel;
      simplify_regions(inputs, which, lengths[level], before + most, found);
    }
  }
  return found;
}

}  // namespace attest
