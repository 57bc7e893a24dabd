#include "core/random.hpp"

#include <Random123/philox.h>

#include "core/contract.hpp"

namespace attest {

RandomBits random_bits(std::uint64_t seed, const Coordinates& at) {
  ATTEST_EXPECTS(at.tensor < (1u << 8) && at.b < (1u << 24));
  r123::Philox4x32::ctr_type counter = {{at.column, at.row, at.h, at.b | at.tensor << 24}};
  r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto bits = r123::Philox4x32{}(counter, key);
  return {bits[0], bits[1], bits[2], bits[3]};
}

double uniform(std::uint64_t seed, const Coordinates& at) {
  return random_bits(seed, at)[0] * 0x1p-32;
}

double gaussian(std::uint64_t seed, const Coordinates& at) {
  // Twelve 10-bit uniforms, three from each word, and the 8 bits left over as the finest digits.
  std::int64_t sum = 0;
  std::int64_t fine = 0;
  for (const std::uint32_t word : random_bits(seed, at)) {
    sum += (word & 1023) + (word >> 10 & 1023) + (word >> 20 & 1023);
    fine = fine << 2 | (word >> 30);
  }
  const std::int64_t twice = 2 * (256 * sum + fine);
  const std::int64_t mean_twice = 2 * 256 * 12 * 1023 / 2 + 255;
  return static_cast<double>(twice - mean_twice) * 0x1p-19;
}

std::uint64_t seed_of_case(std::uint64_t campaign_seed, std::uint64_t index) {
  // Tensor number 255 is kept for this: no family draws from it.
  const RandomBits bits = random_bits(
      campaign_seed,
      {255, 0, static_cast<std::uint32_t>(index >> 32), 0, static_cast<std::uint32_t>(index)});
  return std::uint64_t{bits[0]} << 32 | bits[1];
}

}  // namespace attest
