#include "core/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr FormatShape kShapes[] = {
    {"f64", 64, 53, -1022, 1023},
    {"f32", 32, 24, -126, 127},
    {"f16", 16, 11, -14, 15},
    {"bf16", 16, 8, -126, 127},
};

// The three fields of a bit pattern, each as an integer.
struct Fields {
  bool negative;
  std::uint64_t exponent;  // biased
  std::uint64_t fraction;
};

std::uint64_t exponent_mask(const FormatShape& shape) {
  return (std::uint64_t{1} << (shape.bits - shape.precision)) - 1;
}

Fields split(const FormatShape& shape, std::uint64_t bits) {
  const int fraction_bits = shape.precision - 1;
  return {(bits >> (shape.bits - 1) & 1) != 0, bits >> fraction_bits & exponent_mask(shape),
          bits & ((std::uint64_t{1} << fraction_bits) - 1)};
}

std::uint64_t join(const FormatShape& shape, const Fields& fields) {
  return std::uint64_t{fields.negative} << (shape.bits - 1) |
         fields.exponent << (shape.precision - 1) | fields.fraction;
}

std::uint64_t nan_bits(const FormatShape& shape) {
  const std::uint64_t all = (std::uint64_t{1} << (shape.precision - 1)) - 1;
  const std::uint64_t quiet = std::uint64_t{1} << (shape.precision - 2);
  return join(shape, {false, exponent_mask(shape), shape.bits == 16 ? all : quiet});
}

// `magnitude` is finite, positive and representable, so every step here is exact.
Fields encode(const FormatShape& shape, double magnitude) {
  const int e = std::max(std::ilogb(magnitude), shape.emin);
  const auto m = static_cast<std::uint64_t>(std::ldexp(magnitude, shape.precision - 1 - e));
  const std::uint64_t hidden = std::uint64_t{1} << (shape.precision - 1);
  if (m < hidden) return {false, 0, m};
  return {false, static_cast<std::uint64_t>(e - shape.emin + 1), m - hidden};
}

// 2^exponent; every element of every tensor needs one. Requires: it is normal in binary64.
double normal_power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

FormatShape shape_of(Format format) { return kShapes[static_cast<int>(format)]; }

std::optional<Format> format_named(std::string_view name) {
  for (const Format format : kFormats) {
    if (shape_of(format).name == name) return format;
  }
  return std::nullopt;
}

double widen_bits(Format format, std::uint64_t bits) {
  if (format == Format::f64) return std::bit_cast<double>(bits);
  const FormatShape& shape = kShapes[static_cast<int>(format)];
  ATTEST_EXPECTS(bits >> shape.bits == 0);
  const Fields fields = split(shape, bits);
  double magnitude;
  if (fields.exponent == exponent_mask(shape)) {
    magnitude = fields.fraction == 0 ? std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::quiet_NaN();
  } else {
    const bool normal = fields.exponent != 0;
    const std::uint64_t m = fields.fraction + (std::uint64_t{normal} << (shape.precision - 1));
    const int e = shape.emin + (normal ? static_cast<int>(fields.exponent) - 1 : 0);
    magnitude = static_cast<double>(m) * normal_power_of_two(e - shape.precision + 1);
  }
  return fields.negative ? -magnitude : magnitude;
}

std::uint64_t round_to_bits(Format format, double value, Rounding rounding) {
  const FormatShape& shape = kShapes[static_cast<int>(format)];
  if (std::isnan(value)) return nan_bits(shape);
  if (format == Format::f64) return std::bit_cast<std::uint64_t>(value);
  const double magnitude = std::fabs(value);
  Fields fields{false, 0, 0};
  if (std::isinf(magnitude)) {
    fields.exponent = exponent_mask(shape);
  } else if (magnitude != 0) {
    // In units of the last place the value has at most 53 bits and the target a whole number.
    const int quantum = std::max(std::ilogb(magnitude), shape.emin) - shape.precision + 1;
    const double in_units = std::ldexp(magnitude, -quantum);
    const bool nearest = rounding == Rounding::nearest_even;
    const double whole = nearest ? std::nearbyint(in_units) : std::trunc(in_units);
    const double rounded = std::ldexp(whole, quantum);
    if (rounded > largest_finite(format)) {
      fields.exponent = exponent_mask(shape);
      if (!nearest) fields = encode(shape, largest_finite(format));
    } else if (rounded != 0) {
      fields = encode(shape, rounded);
    }
  }
  fields.negative = std::signbit(value);
  return join(shape, fields);
}

double round_to_format(Format format, double value, Rounding rounding) {
  return widen_bits(format, round_to_bits(format, value, rounding));
}

ValueClass classify(Format format, std::uint64_t bits) {
  const FormatShape& shape = kShapes[static_cast<int>(format)];
  const Fields fields = split(shape, bits);
  if (fields.exponent == exponent_mask(shape)) {
    return fields.fraction == 0 ? ValueClass::infinite : ValueClass::nan;
  }
  if (fields.exponent != 0) return ValueClass::normal;
  return fields.fraction == 0 ? ValueClass::zero : ValueClass::subnormal;
}

std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b) {
  ATTEST_EXPECTS(classify(format, a) != ValueClass::nan);
  ATTEST_EXPECTS(classify(format, b) != ValueClass::nan);
  const std::uint64_t sign = std::uint64_t{1} << (shape_of(format).bits - 1);
  const std::uint64_t ma = a & ~sign;
  const std::uint64_t mb = b & ~sign;
  if ((a & sign) == (b & sign)) return ma > mb ? ma - mb : mb - ma;
  return ma + mb;
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -shape_of(format).precision); }
double smallest_normal(Format format) { return std::ldexp(1.0, shape_of(format).emin); }

double smallest_subnormal(Format format) {
  const FormatShape shape = shape_of(format);
  return std::ldexp(1.0, shape.emin - shape.precision + 1);
}

double largest_finite(Format format) {
  const FormatShape shape = shape_of(format);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - shape.precision), shape.emax);
}

double overflow_threshold(Format format) {
  const FormatShape shape = shape_of(format);
  return std::ldexp(2.0 - std::ldexp(1.0, -shape.precision), shape.emax);  // f64: rounds to inf
}

}  // namespace attest
