// Goal: a number that went into a report, a case string or a golden file comes back bit for bit.
#include "core/hex_float.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace attest::hex_float_test {
namespace {

std::uint64_t pattern(double value) { return std::bit_cast<std::uint64_t>(value); }

// The size is pinned: RapidCheck ramps it up from zero, and a small pattern is a subnormal.
rc::Gen<std::uint64_t> any_pattern() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
}

RC_GTEST_PROP(HexFloatLaw, EveryNumberReadsBackToItsBits, ()) {
  const auto value = std::bit_cast<double>(*any_pattern());
  const auto read = parse_number(to_hex(value));
  RC_ASSERT(read.has_value());
  if (std::isnan(value))
    RC_ASSERT(std::isnan(*read));
  else
    RC_ASSERT(pattern(*read) == pattern(value));
}

TEST(HexFloat, EdgesReadBackToTheirBits) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, 1.0, Limits::denorm_min(), -Limits::denorm_min(),
                             Limits::min(), std::nextafter(Limits::min(), 0.0), Limits::max(),
                             Limits::lowest(), Limits::infinity(), -Limits::infinity()}) {
    const auto read = parse_number(to_hex(value));
    ASSERT_TRUE(read.has_value()) << to_hex(value);
    EXPECT_EQ(pattern(*read), pattern(value)) << to_hex(value);
  }
}

TEST(HexFloat, PrintsTheFormsThatTheInterfacesName) {
  EXPECT_EQ(to_hex(0.125), "0x1p-3");
  EXPECT_EQ(to_hex(-0.1875), "-0x1.8p-3");
  EXPECT_EQ(to_hex(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(to_hex(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(to_hex(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(HexFloat, ReadsDecimalsAsWell) {
  EXPECT_EQ(parse_number("0.125"), 0.125);
  EXPECT_EQ(parse_number("-2e3"), -2000.0);
  EXPECT_EQ(parse_number("inf"), std::numeric_limits<double>::infinity());
}

TEST(HexFloat, RefusesWhateverIsLeftOver) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view(" 1"), std::string_view("1 "),
        std::string_view("\t1"), std::string_view("1x"), std::string_view("0x1p"),
        std::string_view("--1"), std::string_view("1,5"), std::string_view("one"),
        std::string_view("1\0", 2), std::string_view("1;2")}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << "'" << text << "'";
  }
}

TEST(HexFloat, ReadsOnlyTheTextItWasGiven) {
  // A view into a longer text ends where it says, not where the digits do.
  EXPECT_EQ(parse_number(std::string_view("1234").substr(0, 2)), 12.0);
}

}  // namespace
}  // namespace attest::hex_float_test
