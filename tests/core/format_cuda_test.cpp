// Goal: our conversions are CUDA's conversions, bit for bit, NaN included: on every pattern, and at
// every place where a rounding changes its answer. Where the CUDA headers are absent this says so.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/format.hpp"
#include "tests/core/rounding_probes.hpp"

#if ATTEST_HAVE_CUDA_HEADERS
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif

namespace attest::format_cuda_test {
namespace {

#if ATTEST_HAVE_CUDA_HEADERS

std::uint64_t bits_of(__half value) { return static_cast<__half_raw>(value).x; }
std::uint64_t bits_of(__nv_bfloat16 value) { return static_cast<__nv_bfloat16_raw>(value).x; }

__half half_of(std::uint64_t bits) {
  __half_raw raw;
  raw.x = static_cast<unsigned short>(bits);
  return raw;
}

__nv_bfloat16 bfloat16_of(std::uint64_t bits) {
  __nv_bfloat16_raw raw;
  raw.x = static_cast<unsigned short>(bits);
  return raw;
}

// CUDA's narrowing conversions of one format.
struct Conversions {
  Format format;
  std::uint64_t (*from_double)(double);
  std::uint64_t (*from_float)(float);
  std::uint64_t (*from_float_toward_zero)(float);
};

constexpr Conversions kCuda[] = {
    {Format::f16, [](double x) { return bits_of(__double2half(x)); },
     [](float x) { return bits_of(__float2half_rn(x)); },
     [](float x) { return bits_of(__float2half_rz(x)); }},
    {Format::bf16, [](double x) { return bits_of(__double2bfloat16(x)); },
     [](float x) { return bits_of(__float2bfloat16_rn(x)); },
     [](float x) { return bits_of(__float2bfloat16_rz(x)); }},
};

void agree_on_double(const Conversions& cuda, double value) {
  ASSERT_EQ(round_to_bits(cuda.format, value), cuda.from_double(value))
      << std::hexfloat << value << " in " << shape_of(cuda.format).name;
}

void agree_on_float(const Conversions& cuda, float value) {
  ASSERT_EQ(round_to_bits(cuda.format, value), cuda.from_float(value))
      << std::hexfloat << value << " in " << shape_of(cuda.format).name;
  ASSERT_EQ(round_to_bits(cuda.format, value, Rounding::toward_zero),
            cuda.from_float_toward_zero(value))
      << std::hexfloat << value << " in " << shape_of(cuda.format).name << ", toward zero";
}

TEST(FormatAgainstCuda, WidensEveryPatternAlike) {
  for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
    const double values[][2] = {
        {widen_bits(Format::f16, bits), double{__half2float(half_of(bits))}},
        {widen_bits(Format::bf16, bits), double{__bfloat162float(bfloat16_of(bits))}}};
    for (const auto& [ours, cudas] : values) {
      if (std::isnan(cudas)) {  // CUDA drops a NaN's sign and payload.
        ASSERT_TRUE(std::isnan(ours)) << std::hex << bits;
        continue;
      }
      ASSERT_EQ(ours, cudas) << std::hex << bits;
      ASSERT_EQ(std::signbit(ours), std::signbit(cudas)) << std::hex << bits;  // of zeros
    }
  }
}

TEST(FormatAgainstCuda, NarrowsBinary64AlikeAroundEveryMidpoint) {
  for (const Conversions& cuda : kCuda) {
    const std::uint64_t infinity = by_integers::layout_of(cuda.format).infinity();
    for (std::uint64_t n = 0; n < infinity; ++n) {
      for (const RoundingProbe& probe : probes_between(cuda.format, n)) {
        ASSERT_NO_FATAL_FAILURE(agree_on_double(cuda, probe.value));
        ASSERT_NO_FATAL_FAILURE(agree_on_double(cuda, -probe.value));
      }
    }
  }
}

TEST(FormatAgainstCuda, NarrowsBinary32AlikeAroundEveryMidpoint) {
  // Midpoints of the 16-bit formats are values of binary32, but for bf16's lowest one.
  for (const Conversions& cuda : kCuda) {
    const std::uint64_t infinity = by_integers::layout_of(cuda.format).infinity();
    for (std::uint64_t n = 0; n < infinity; ++n) {
      const auto middle = static_cast<float>(probes_between(cuda.format, n)[3].value);
      const float huge = std::numeric_limits<float>::infinity();
      for (const float value :
           {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, huge)}) {
        ASSERT_NO_FATAL_FAILURE(agree_on_float(cuda, value));
        ASSERT_NO_FATAL_FAILURE(agree_on_float(cuda, -value));
      }
    }
  }
}

TEST(FormatAgainstCuda, SpecialValuesNarrowAlike) {
  for (const Conversions& cuda : kCuda) {
    for (const float value :
         {0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(),
          std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::quiet_NaN()}) {
      agree_on_float(cuda, value);
      agree_on_float(cuda, -value);
      agree_on_double(cuda, value);
      agree_on_double(cuda, -value);
    }
    agree_on_double(cuda, std::numeric_limits<double>::max());
    agree_on_double(cuda, std::numeric_limits<double>::denorm_min());
  }
}

// CUDA's names of the 8-bit formats, and of what overflow becomes.
constexpr struct {
  Format format;
  __nv_fp8_interpretation_t cudas;
} kFp8[] = {{Format::e4m3, __NV_E4M3}, {Format::e5m2, __NV_E5M2}};
constexpr struct {
  Overflow overflow;
  __nv_saturation_t cudas;
} kOverflows[] = {{Overflow::special, __NV_NOSAT}, {Overflow::saturate, __NV_SATFINITE}};

TEST(FormatAgainstCuda, WidensEveryPatternOfEightBitsAlike) {
  for (const auto& [format, cudas] : kFp8) {
    for (std::uint64_t bits = 0; bits <= 0xff; ++bits) {
      const __half half = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(bits), cudas);
      const double theirs = __half2float(half);
      const double ours = widen_bits(format, bits);
      ASSERT_EQ(std::isnan(ours), std::isnan(theirs)) << std::hex << bits;
      ASSERT_TRUE(std::isnan(ours) || ours == theirs) << std::hex << bits;
    }
  }
}

TEST(FormatAgainstCuda, NarrowsToEightBitsAlikeAroundEveryMidpoint) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [format, cudas] : kFp8) {
    for (const auto& [overflow, cudas_overflow] : kOverflows) {
      const auto agree = [&, format = format, cudas = cudas, overflow = overflow,
                          cudas_overflow = cudas_overflow](double value) {
        ASSERT_EQ(round_to_bits(format, value, Rounding::nearest_even, overflow),
                  __nv_cvt_double_to_fp8(value, cudas_overflow, cudas))
            << std::hexfloat << value << " in " << shape_of(format).name;
      };
      for (std::uint64_t n = 0; n < by_integers::layout_of(format).infinity(); ++n) {
        for (const RoundingProbe& probe : probes_between(format, n)) {
          ASSERT_NO_FATAL_FAILURE(agree(probe.value));
          ASSERT_NO_FATAL_FAILURE(agree(-probe.value));
        }
      }
      for (const double value : {1e300, -1e300, infinity, -infinity}) {
        ASSERT_NO_FATAL_FAILURE(agree(value));
      }
      ASSERT_NO_FATAL_FAILURE(agree(std::numeric_limits<double>::quiet_NaN()));
    }
  }
}

#else

TEST(FormatAgainstCuda, NeedsTheCudaHeaders) {
  GTEST_SKIP() << "NOT RUN: the comparison of conversions with cuda_fp16.h, cuda_bf16.h and "
                  "cuda_fp8.h (no CUDA headers were found at configuration)";
}

#endif

}  // namespace
}  // namespace attest::format_cuda_test
