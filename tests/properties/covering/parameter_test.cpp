// Goal: the features of a case are read off it as documented, at the edges of each value.
#include "properties/covering/parameter.hpp"

#include <gtest/gtest.h>

#include <set>

#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "tests/properties/rich_problem.hpp"

namespace attest::parameter_test {
namespace {

std::string_view value_in(const Case& c, Parameter parameter) {
  const std::int8_t value = features_of(c)[parameter];
  return value == kOpen ? "open" : names_of(parameter).values[static_cast<std::size_t>(value)];
}

TEST(Parameter, NamesAndValuesAreDistinct) {
  std::set<std::string_view> names;
  for (int n = 0; n < kParameters; ++n) {
    const ParameterNames& of = names_of(static_cast<Parameter>(n));
    EXPECT_TRUE(names.insert(of.name).second) << of.name;
    EXPECT_EQ(std::set(of.values.begin(), of.values.end()).size(), of.values.size()) << of.name;
    EXPECT_GE(of.values.size(), 2U) << of.name;
    EXPECT_LE(of.values.size(), 32U) << of.name;  // RunPairs has a bit for each
  }
}

TEST(Parameter, IsReadOffTheCase) {
  const Case c = family_case(rich_backward_problem(), "F7");
  const std::string_view values[] = {
      "f16",  "f32",     "F7",      "negative",      "bottom-right", "several", "3",
      "both", "between", "between", "up to 64 keys", "not of 8",     "another", "yes"};
  for (int n = 0; n < kParameters; ++n) {
    const auto parameter = static_cast<Parameter>(n);
    EXPECT_EQ(value_in(c, parameter), values[n]) << names_of(parameter).name;
  }
}

TEST(Parameter, SaysWhereACountStandsAmongTilesOfSixteen) {
  const std::pair<Index, Count> edges[] = {
      {0, kZero},     {1, kSingle},     {2, kBetween},  {14, kBetween},  {15, kOneShort},
      {16, kWhole},   {17, kOneOver},   {18, kBetween}, {31, kOneShort}, {64, kWhole},
      {65, kOneOver}, {127, kOneShort}, {1024, kWhole}};
  for (const auto& [count, wanted] : edges) EXPECT_EQ(count_class(count), wanted) << count;
}

TEST(Parameter, TellsBandsApart) {
  const auto band = [](Index left, Index right) {
    Problem p;
    p.left = left;
    p.right = right;
    return value_in(family_case(p), kBand);
  };
  EXPECT_EQ(band(kUnlimited, kUnlimited), "none");
  EXPECT_EQ(band(kUnlimited, 0), "causal");
  EXPECT_EQ(band(0, 0), "window");
  EXPECT_EQ(band(12, 0), "window");
  EXPECT_EQ(band(12, kUnlimited), "one-sided");
  EXPECT_EQ(band(kUnlimited, 1), "one-sided");
  EXPECT_EQ(band(-1, kUnlimited), "negative");
  EXPECT_EQ(band(3, -2), "negative");
}

TEST(Parameter, IsOpenWhereACaseHasNoSuchValue) {
  Problem p;
  p.in = Format::f32;
  p.out = Format::f16;
  p.heads_q = 8;
  const Case c{p, zero_inputs(p)};
  for (const Parameter none : {kInput, kOutput, kFamilyDrawn}) {
    EXPECT_EQ(value_in(c, none), "open");
  }
  EXPECT_EQ(value_in(c, kGroup), "4 or more");
}

TEST(Parameter, NoDrawnCaseLeavesOneOpen) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < 300; ++index) {
      for (const std::int8_t value : features_of(draw(2, index, pass))) EXPECT_NE(value, kOpen);
    }
  }
}

}  // namespace
}  // namespace attest::parameter_test
