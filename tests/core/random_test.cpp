// Goal: random values are Philox 4x32-10 of their coordinates and of nothing else, and the two
// distributions made from them have the shape that families count on.
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace attest::random_test {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Philox 4x32 with ten rounds, from the paper's definition.
Words philox(Words counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

// Known answers of the Random123 distribution, and where each stands among our coordinates.
const struct {
  std::uint64_t seed;
  Coordinates at;
  Words answer;
} kKnownAnswers[] = {
    {0, {0, 0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {0xffffffff'ffffffff,
     {0xff, 0xffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {0x299f31d0'a4093822,  // the digits of pi
     {0x03, 0x707344, 0x13198a2e, 0x85a308d3, 0x243f6a88},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(RandomBits, GiveThePublishedAnswers) {
  for (const auto& [seed, at, answer] : kKnownAnswers) {
    EXPECT_EQ(random_bits(seed, at), answer) << std::hex << seed;
    const auto low = static_cast<std::uint32_t>(seed);
    const auto high = static_cast<std::uint32_t>(seed >> 32);
    EXPECT_EQ(philox({at.column, at.row, at.h, at.tensor << 24 | at.b}, low, high), answer);
  }
}

TEST(RandomBits, AreThePaperDefinitionOfTheCoordinates) {
  std::uint32_t scramble = 1;
  const auto next = [&] { return scramble = scramble * 1664525u + 1013904223u; };
  for (int draw = 0; draw < 10'000; ++draw) {
    const Coordinates at{next() >> 24, next() >> 8, next(), next(), next()};
    const std::uint32_t low = next();
    const std::uint32_t high = next();
    ASSERT_EQ(random_bits(std::uint64_t{high} << 32 | low, at),
              philox({at.column, at.row, at.h, at.tensor << 24 | at.b}, low, high));
  }
}

TEST(RandomBits, DifferInEveryCoordinateAndInTheSeed) {
  const Coordinates origin{1, 1, 1, 1, 1};
  const std::set<RandomBits> all = {
      random_bits(1, origin),          random_bits(2, origin),
      random_bits(1, {2, 1, 1, 1, 1}), random_bits(1, {1, 2, 1, 1, 1}),
      random_bits(1, {1, 1, 2, 1, 1}), random_bits(1, {1, 1, 1, 2, 1}),
      random_bits(1, {1, 1, 1, 1, 2}), random_bits(1 + (std::uint64_t{1} << 32), origin)};
  EXPECT_EQ(all.size(), 8u);
}

TEST(RandomBitsDeathTest, RefuseCoordinatesThatWouldCollide) {
  EXPECT_DEATH((void)random_bits(0, {256, 0, 0, 0, 0}), "broken contract");
  EXPECT_DEATH((void)random_bits(0, {0, 1u << 24, 0, 0, 0}), "broken contract");
}

TEST(Uniform, IsTheFirstWordAsAFraction) {
  for (std::uint32_t column = 0; column < 1000; ++column) {
    const Coordinates at{kTensorK, 2, 3, 5, column};
    const double value = uniform(42, at);
    ASSERT_EQ(value, std::ldexp(static_cast<double>(random_bits(42, at)[0]), -32));
    ASSERT_TRUE(value >= 0 && value < 1);
  }
}

// The gaussian of given words: twelve uniforms with centres at 0, the last one with finer steps.
// Twice its numerator over 2^18 is an odd integer, which is what makes the law symmetric.
double gaussian_of(const RandomBits& words) {
  double sum = 0;
  double fine = 0;
  for (const std::uint32_t word : words) {
    for (const int shift : {0, 10, 20}) sum += ((word >> shift) % 1024 + 0.5) / 1024 - 0.5;
    fine = 4 * fine + (word >> 30);
  }
  return sum + (fine - 127.5) / (256 * 1024);
}

RandomBits complement(RandomBits words) {
  for (std::uint32_t& word : words) word = ~word;
  return words;
}

TEST(Gaussian, IsTheSumOfTwelveUniformsAndExactlySymmetric) {
  for (std::uint32_t row = 0; row < 100'000; ++row) {
    const Coordinates at{kTensorQ, 0, 0, row, 7};
    const RandomBits words = random_bits(5, at);
    ASSERT_EQ(gaussian(5, at), gaussian_of(words));
    ASSERT_EQ(gaussian_of(complement(words)), -gaussian_of(words));
  }
}

TEST(Gaussian, StaysBelowSixAndOffZero) {
  EXPECT_EQ(gaussian_of({0, 0, 0, 0}), -gaussian_of({~0u, ~0u, ~0u, ~0u}));
  EXPECT_LT(gaussian_of({~0u, ~0u, ~0u, ~0u}), 6.0);
  EXPECT_GT(gaussian_of({~0u, ~0u, ~0u, ~0u}), 5.99);
  for (std::uint32_t row = 0; row < 100'000; ++row) {
    ASSERT_NE(gaussian(6, {kTensorV, 0, 0, row, 0}), 0.0);
  }
}

TEST(Gaussian, HasTheMomentsOfANormalDistribution) {
  // Limits are five standard errors of the sample moment for 10^6 draws; the fourth moment of a sum
  // of twelve uniforms is 2.9, not 3.
  constexpr int kDraws = 1'000'000;
  double first = 0, second = 0, third = 0, fourth = 0;
  for (std::uint32_t n = 0; n < kDraws; ++n) {
    const double x = gaussian(2024, {kTensorQ, 0, n % 7, n / 1024, n % 1024});
    first += x;
    second += x * x;
    third += x * x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(first / kDraws, 0.0, 5 * 1.00e-3);
  EXPECT_NEAR(second / kDraws, 1.0, 5 * 1.38e-3);
  EXPECT_NEAR(third / kDraws, 0.0, 5 * 3.7e-3);
  EXPECT_NEAR(fourth / kDraws, 2.9, 5 * 8.8e-3);
}

TEST(Gaussian, NeighboursAreUncorrelated) {
  constexpr int kDraws = 200'000;
  double along_columns = 0, along_rows = 0;
  for (std::uint32_t n = 0; n < kDraws; ++n) {
    const Coordinates at{kTensorK, 1, 2, n / 256, n % 256};
    const double here = gaussian(9, at);
    along_columns += here * gaussian(9, {at.tensor, at.b, at.h, at.row, at.column + 1});
    along_rows += here * gaussian(9, {at.tensor, at.b, at.h, at.row + 1, at.column});
  }
  EXPECT_NEAR(along_columns / kDraws, 0.0, 5 / std::sqrt(double{kDraws}));
  EXPECT_NEAR(along_rows / kDraws, 0.0, 5 / std::sqrt(double{kDraws}));
}

TEST(Gaussian, DoesNotDependOnTheOrderOfAsking) {
  std::vector<double> forwards, backwards;
  for (std::uint32_t column = 0; column < 100; ++column) {
    forwards.push_back(gaussian(3, {0, 0, 0, 4, column}));
    backwards.push_back(gaussian(3, {0, 0, 0, 4, 99 - column}));
  }
  std::ranges::reverse(backwards);
  EXPECT_EQ(forwards, backwards);
}

TEST(SeedOfCase, IsItsOwnForEveryIndexAndCampaign) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t campaign = 0; campaign < 10; ++campaign) {
    for (std::uint64_t index = 0; index < 1000; ++index) {
      seeds.insert(seed_of_case(campaign, index));
      seeds.insert(seed_of_case(campaign, index << 32 | 1 << 20));
    }
  }
  EXPECT_EQ(seeds.size(), 20'000u);
  EXPECT_EQ(seed_of_case(1, 2), seed_of_case(1, 2));
}

}  // namespace
}  // namespace attest::random_test
