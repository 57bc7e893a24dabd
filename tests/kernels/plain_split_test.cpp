// Goal: with its keys in parts the healthy kernel computes the same attention, whatever the size of
// the parts, empty ones and wholly dead rows included.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/canaries/plain.hpp"
#include "tests/kernels/pairwise_softmax.hpp"
#include "tests/kernels/random_problem.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_split_test {
namespace {

TEST(PlainSplit, InOnePartHasTheBitsOfTheWhole) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem p = random_problem(seed);
    const Inputs inputs = gaussian_inputs(p, seed);
    for (const Combine combine : {Combine::divide, Combine::exp_lse}) {
      EXPECT_EQ(run(*make_plain("plain", {.part_k = 64, .combine = combine}), p, inputs),
                run(*make_plain("plain"), p, inputs))
          << to_string(p);
    }
  }
}

// P, a part's O and O itself may each lose a rounding of their format; see plain_test.cpp.
TEST(PlainSplit, MatchesTheDefinitionOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem p = random_problem(seed);
    const Inputs inputs = gaussian_inputs(p, seed);
    PlainConfig config;
    config.tile_k = pick(seed, 13, {1, 4, 8});
    config.part_k = config.tile_k * pick(seed, 30, {1, 2, 5});
    config.part_format = pick_format(seed, 31);
    config.combine = static_cast<Combine>(pick(seed, 32, {0, 1}));
    const Result observed = run(*make_plain("plain", config), p, inputs);
    const double u = 2 * unit_roundoff(p_format_of(config, p)) + unit_roundoff(p.out) +
                     unit_roundoff(*config.part_format) + 1e-5;
    for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
      const PairwiseRow row = pairwise_row(p, inputs, b, h, i);
      const double lse = observed.lse.view().value(b, h, i, 0);
      if (row.dead) {
        EXPECT_EQ(lse, -std::numeric_limits<double>::infinity());
      } else {
        EXPECT_LE(std::fabs(lse - row.lse), 1e-5 * (1 + std::fabs(row.lse))) << to_string(p);
      }
      for (Index k = 0; k < p.d_v; ++k) {
        const double error =
            std::fabs(observed.o.view().value(b, h, i, k) - row.o[static_cast<std::size_t>(k)]);
        EXPECT_LE(error, u * row.largest_v + 0x1p-24) << to_string(p) << " i=" << i << " k=" << k;
      }
    });
  }
}

TEST(PlainSplit, OfferedConfigurationsAreTheKernelWithOtherTilesAndParts) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem p = random_problem(seed);
    const Inputs inputs = gaussian_inputs(p, seed);
    const auto told = make_plain("plain", {}, true);
    const auto offered = told->configurations(p, Unit::fp32_seq);
    const std::vector<NamedPlainConfig> others = other_configs({}, p);
    ASSERT_EQ(offered.size(), others.size());
    for (std::size_t n = 0; n < others.size(); ++n) {
      RunSettings settings;
      settings.configuration = offered[n];
      EXPECT_EQ(others[n].name, offered[n]);
      EXPECT_EQ(run(*told, p, inputs, settings),
                run(*make_plain("plain", others[n].config), p, inputs))
          << offered[n] << " " << to_string(p);
      EXPECT_EQ(told->numerics_in(offered[n], p, Unit::fp32_seq), numerics_of(others[n].config, p));
    }
  }
  EXPECT_TRUE(make_plain("plain")->configurations({}, Unit::fp32_seq).empty());
}

TEST(PlainSplit, PartsBeyondTheKeysChangeNoBit) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = random_problem(seed);
    const Inputs inputs = gaussian_inputs(p, seed);
    for (const Combine combine : {Combine::divide, Combine::exp_lse}) {
      const PlainConfig few{.part_k = 16, .combine = combine};
      PlainConfig many = few;
      many.least_parts = 9;
      EXPECT_EQ(run(*make_plain("plain", few), p, inputs),
                run(*make_plain("plain", many), p, inputs))
          << to_string(p);
    }
  }
}

TEST(PlainSplit, KeepsPartsThatLie400Apart) {
  // Scores +200 in part 0, -200 in part 1 and, in the other row, the other way round.
  Problem p = scored_problem(2);
  p.n_q = 2;
  Inputs inputs = scored_inputs(p, {200, -200});
  set(inputs.q, 0, 0, 1, 0, -1);
  for (const Combine combine : {Combine::divide, Combine::exp_lse}) {
    const PlainConfig config{.tile_k = 1, .part_k = 1, .combine = combine};
    const Result observed = run(*make_plain("plain", config), p, inputs);
    for (const Index i : {0, 1}) {
      EXPECT_EQ(observed.o.view().value(0, 0, i, 0), static_cast<double>(i + 1));
      EXPECT_EQ(observed.lse.view().value(0, 0, i, 0), 200);
    }
  }
}

TEST(PlainSplit, RoundsWhatAPartStores) {
  // V = 1 and 1 + 2^-9 alone in a part of two keys: 1 + 2^-10 has no bf16, f16 keeps it.
  Problem p = scored_problem(2, Format::f32);
  Inputs inputs = zero_inputs(p);
  set(inputs.v, 0, 0, 0, 0, 1);
  set(inputs.v, 0, 0, 1, 0, 1 + 0x1p-9);
  const auto o = [&](Format format) {
    const PlainConfig config{.part_k = 16, .part_format = format};
    return run(*make_plain("plain", config), p, inputs).o.view().value(0, 0, 0, 0);
  };
  EXPECT_EQ(o(Format::f32), 1 + 0x1p-10);
  EXPECT_EQ(o(Format::f16), 1 + 0x1p-10);
  EXPECT_EQ(o(Format::bf16), 1);
}

TEST(PlainSplit, DeclaresItsParts) {
  Problem p;
  p.in = Format::bf16;
  const Numerics n = numerics_of({.part_k = 48, .part_format = std::nullopt}, p);
  EXPECT_EQ(n.split, SplitKeys{Format::bf16});
  EXPECT_EQ(n.part_k, 48);
  EXPECT_EQ(n.combine, Combine::divide);
}

}  // namespace
}  // namespace attest::plain_split_test
