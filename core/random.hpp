// random.hpp - random values by coordinates.
//
// A value depends on (seed, tensor, b, h, row, column) and on nothing else: not on the shape, not
// on the order of asking. So a smaller shape keeps the values of the elements that survive, and
// shrinking keeps a failure alive. Philox 4x32-10 (Salmon et al., SC 2011), counter = coordinates.
#pragma once

#include <array>
#include <cstdint>

namespace attest {

struct Coordinates {
  std::uint32_t tensor;  // below 2^8
  std::uint32_t b;       // below 2^24
  std::uint32_t h;
  std::uint32_t row;
  std::uint32_t column;
};

// Tensor numbers used across the project; families may use numbers from 16 on for private draws.
enum TensorId : std::uint32_t {
  kTensorQ = 0,
  kTensorK = 1,
  kTensorV = 2,
  kTensorDout = 3,
  kTensorGlse = 4
};

using RandomBits = std::array<std::uint32_t, 4>;

[[nodiscard]] RandomBits random_bits(std::uint64_t seed, const Coordinates& at);

// Uniform on {0, ..., 2^32 - 1} / 2^32.
[[nodiscard]] double uniform(std::uint64_t seed, const Coordinates& at);

// Near-Gaussian, mean 0, variance 1: a sum of twelve uniforms, within 6 and exact in binary64. No
// library function takes part, so the value is the same on every machine.
[[nodiscard]] double gaussian(std::uint64_t seed, const Coordinates& at);

// An independent seed for case `index` of a campaign.
[[nodiscard]] std::uint64_t seed_of_case(std::uint64_t campaign_seed, std::uint64_t index);

}  // namespace attest
