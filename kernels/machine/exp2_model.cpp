#include "kernels/machine/exp2_model.hpp"

#include <bit>
#include <cmath>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr float kSmallestNormal = 0x1p-126f;
constexpr float kLargest = 0x1.fffffep127f;
constexpr float kLowest = -160;  // below it no result is as large as half of 2^-149

struct HardArgument {
  float x, rounded;
};

// All arguments whose power lies within 2^-53 of the middle between two binary32, relatively: there
// a binary64 exponential may round to the middle or past it. Elsewhere the distance is at least
// 2.5 * 2^-53 (found by enumeration), so that an exponential within an ulp decides rightly.
constexpr HardArgument kHardArguments[] = {
    {0x1.853a6ep-9F, 0x1.00870ap+0F},   {-0x1.e7526ep-6F, 0x1.f58d62p-1F},
    {-0x1.d85680p-10F, 0x1.ff5c68p-1F}, {-0x1.a7a04cp-14F, 0x1.fff6d2p-1F},
    {-0x1.5a3f34p-21F, 0x1.fffff0p-1F},
};

// 2^x rounded to nearest; `power` is 2^x in binary64.
float round_power(float x, double power) {
  for (const HardArgument& hard : kHardArguments) {
    if (x == hard.x) return hard.rounded;
  }
  return static_cast<float>(power);
}

// The finalizer of splitmix64: every bit of the argument reaches every bit of the result.
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::uint64_t draw_for(std::uint64_t seed, float x) {
  return scramble(scramble(seed + 0x9e3779b97f4a7c15U) ^ std::bit_cast<std::uint32_t>(x));
}

// How many ulps the model lies above the correctly rounded result at x.
double offset_at(const Exp2Model& model, float x) {
  switch (model.kind) {
    case Exp2Model::Kind::exact_rn: return 0;
    case Exp2Model::Kind::worst_high: return model.ulps;
    case Exp2Model::Kind::worst_low: return -model.ulps;
    case Exp2Model::Kind::worst_mixed:
      return draw_for(model.seed, x) % 2 == 0 ? model.ulps : -model.ulps;
    case Exp2Model::Kind::random: break;
  }
  const auto most = static_cast<std::uint64_t>(model.ulps);
  const std::uint64_t drawn = (draw_for(model.seed, x) >> 32) * (2 * most + 1) >> 32;
  return static_cast<double>(drawn) - static_cast<double>(most);
}

// Cuts t to 24 bits towards y, which has no more bits than that.
float cut_towards(double t, float y) {
  const auto nearest = static_cast<float>(t);
  const bool passed = t > y ? nearest > t : nearest < t;
  return passed ? std::nextafter(nearest, y) : nearest;
}

// The power of two at or below y > 0, times 2^-23.
double ulp_of(float y) {
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(y) >> 23;
  return std::bit_cast<float>(exponent << 23) * 0x1p-23;
}

}  // namespace

float exp2_of(const Exp2Model& model, float x) {
  ATTEST_EXPECTS(model.ulps >= 0 && model.ulps <= 0x1p20);
  if (std::isnan(x)) return x;
  if (std::fabs(x) < kSmallestNormal) return 1;
  const double power = std::exp2(static_cast<double>(x));
  float result = round_power(x, power);
  if (model.kind != Exp2Model::Kind::exact_rn && x > kLowest && result <= kLargest) {
    // Below the normal range hardware scales a normal result. So the model errs there before bits
    // are lost, and the last conversion rounds once more.
    const double lift = x < -126 ? 0x1p64 : 1;
    const float lifted = x < -126 ? static_cast<float>(power * lift) : result;
    const double moved = lifted + offset_at(model, x) * ulp_of(lifted);
    result = static_cast<float>(cut_towards(moved, lifted) / lift);
  }
  return model.flush && result < kSmallestNormal ? 0 : result;
}

double relative_error(const Exp2Model& model) {
  if (model.kind == Exp2Model::Kind::exact_rn) return 0x1p-24;
  const bool whole = model.kind == Exp2Model::Kind::random;
  return ((whole ? std::floor(model.ulps) : model.ulps) + 0.5) * 0x1p-23;
}

}  // namespace attest
