// Goal: the healthy kernel computes attention on every shape, band, length and exponent form it
// claims. Its precise error is the judge's matter; here a loose bound keeps it honest against the
// definition.
#include "kernels/canaries/plain.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/pairwise_softmax.hpp"
#include "tests/kernels/random_problem.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// P and O may each lose a rounding of their format; binary32 arithmetic adds little to that on
// the moderate scores of these tests.
void expect_near_definition(const Problem& p, const Inputs& inputs, const Result& observed,
                            Format p_format) {
  const double u = 2 * unit_roundoff(p_format) + unit_roundoff(p.out) + 1e-5;
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    const PairwiseRow row = pairwise_row(p, inputs, b, h, i);
    const double lse = observed.lse.view().value(b, h, i, 0);
    if (row.dead) {
      EXPECT_EQ(lse, -kInfinity);
    } else {
      EXPECT_LE(std::fabs(lse - row.lse), 1e-5 * (1 + std::fabs(row.lse))) << to_string(p);
    }
    for (Index k = 0; k < p.d_v; ++k) {
      const double o = observed.o.view().value(b, h, i, k);
      EXPECT_LE(std::fabs(o - row.o[static_cast<std::size_t>(k)]), u * row.largest_v)
          << to_string(p) << " b=" << b << " h=" << h << " i=" << i << " k=" << k;
    }
  });
}

void expect_near_definition(const Problem& p, std::uint64_t seed, PlainConfig config = {}) {
  ASSERT_EQ(defect_of(p), "");
  const Inputs inputs = gaussian_inputs(p, seed);
  const Result observed = run(*make_plain("plain", config), p, inputs);
  expect_near_definition(p, inputs, observed, p_format_of(config, p));
}

TEST(Plain, MatchesTheDefinitionOnRandomShapes) {
  constexpr Exponent forms[] = {Exponent::difference_first, Exponent::scaled_max,
                                Exponent::product_first, Exponent::fused};
  Index dead = 0;
  Index live = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem p = random_problem(seed);
    PlainConfig config;
    config.tile_k = pick(seed, 13, {1, 4, 16, 64});
    config.exponent = forms[pick(seed, 14, {0, 1, 2, 3})];
    config.last_tile_first = pick(seed, 16, {0, 1}) == 1;
    config.lag = static_cast<double>(pick(seed, 17, {0, 1, 8}));
    config.l_from = pick(seed, 15, {0, 1}) == 0 ? LFrom::unrounded : LFrom::rounded;
    if (config.l_from == LFrom::rounded) config.p_format = Format::f32;  // else LSE moves by u_p
    expect_near_definition(p, seed, config);
    for_each(p.lse_extents(), [&](Index b, Index, Index i, Index) {
      bool any = false;
      for (Index j = 0; j < p.n_k; ++j) any = any || pair_is_live(p, b, i, j);
      ++(any ? live : dead);
    });
  }
  EXPECT_GT(dead, 1000);  // the draw reaches both kinds of row
  EXPECT_GT(live, 5000);
}

// The keys' tiles in reverse, each as it is.
Tensor tiles_reversed(const Problem& p, const Tensor& tensor, Index tile) {
  Tensor turned = tensor;
  for_each(tensor.extents(), [&](Index b, Index h, Index j, Index column) {
    const Index from = (p.n_k / tile - 1 - j / tile) * tile + j % tile;
    turned.view().set_bits(b, h, j, column, tensor.view().bits(b, h, from, column));
  });
  return turned;
}

TEST(Plain, WithTheLastTileFirstIsPlainOnTilesInReverse) {
  Problem p;
  p.heads_q = p.heads_k = 2;
  p.n_q = 3;
  p.n_k = 64;
  p.d_qk = p.d_v = 8;
  const Inputs inputs = gaussian_inputs(p, 4);
  Inputs turned = inputs;
  turned.k = tiles_reversed(p, inputs.k, 16);
  turned.v = tiles_reversed(p, inputs.v, 16);
  const Result last_first = run(*make_plain("plain", {.last_tile_first = true}), p, inputs);
  const Result ascending = run(*make_plain("plain"), p, turned);
  EXPECT_EQ(last_first.o, ascending.o);
  EXPECT_EQ(last_first.lse, ascending.lse);
  EXPECT_NE(last_first.o, run(*make_plain("plain"), p, inputs).o);
}

// One column, a score a tile: where the rescale waits, it is the second weight that bf16 rounds.
TEST(Plain, PutsARescaleOffUpToItsLag) {
  Problem p;
  p.n_k = 2;
  p.scale = 1;
  p.out = Format::f32;
  for (const double rise : {5.5, 5.625}) {  // 7.93 and 8.12 powers of two
    Inputs inputs = zero_inputs(p);
    set(inputs.q, 0, 0, 0, 0, 1);
    set(inputs.k, 0, 0, 1, 0, rise);
    set(inputs.v, 0, 0, 1, 0, 1);
    const PlainConfig lazy{.tile_k = 1, .p_format = Format::bf16, .lag = 8};
    const double o = run(*make_plain("lazy", lazy), p, inputs).o.view().value(0, 0, 0, 0);
    const double weight = std::exp(rise);
    const double rounded = round_to_format(Format::bf16, weight);
    EXPECT_NEAR(o, (rise < 5.6 ? rounded : weight) / (1 + weight), 1e-6) << rise;
    EXPECT_GT(std::fabs(rounded - weight) / weight, 1e-4);
  }
}

TEST(Plain, MatchesTheDefinitionWhateverTheTile) {
  Problem p;
  p.n_q = 5;
  p.n_k = 70;
  p.d_qk = p.d_v = 16;
  p.scale = default_scale(16);
  for (const Index tile_k : {1, 2, 7, 16, 32, 69, 70, 71, 1000}) {
    expect_near_definition(p, 3, {.tile_k = tile_k});
  }
}

TEST(Plain, KeepsTheWorkedExample) {
  // Scores [1,3,2,5 | 4,0,6,2]: after block one m = 5 and l = 1.2034.
  const PlainConfig blocks_of_4{.tile_k = 4};
  const auto plain = make_plain("plain", blocks_of_4);
  const Problem one = scored_problem(4);
  const Result first = run(*plain, one, scored_inputs(one, {1, 3, 2, 5}));
  EXPECT_NEAR(first.lse.view().value(0, 0, 0, 0), 5 + std::log(1.2034), 4e-5);

  const Problem two = scored_problem(8);
  const Inputs inputs = scored_inputs(two, {1, 3, 2, 5, 4, 0, 6, 2});
  expect_near_definition(two, inputs, run(*plain, two, inputs), Format::f16);
}

TEST(Plain, WritesDeadRowsAsDeclared) {
  Problem p;
  p.n_q = 3;
  p.n_k = 20;
  p.d_v = 2;
  p.right = -18;  // bottom-right: row i sees keys up to i - 1
  const Result observed = run(*make_plain("plain"), p, gaussian_inputs(p, 1));
  for (const Index k : {0, 1}) EXPECT_EQ(observed.o.view().bits(0, 0, 0, k), 0u);
  EXPECT_EQ(observed.lse.view().value(0, 0, 0, 0), -kInfinity);
  EXPECT_TRUE(std::isfinite(observed.lse.view().value(0, 0, 1, 0)));
}

TEST(Plain, TreatsEveryRowAsDeadWithoutKeys) {
  Problem p;
  p.batch = 2;
  p.n_q = 3;
  p.n_k = 0;
  p.d_v = 2;
  const Result observed = run(*make_plain("plain"), p, zero_inputs(p));
  for (const std::byte byte : observed.o.bytes()) EXPECT_EQ(byte, std::byte{0});
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    EXPECT_EQ(observed.lse.view().value(b, h, i, 0), -kInfinity);
  });
}

TEST(Plain, WritesRowsBeyondTheLengthAsDeclared) {
  Problem p;
  p.n_q = 4;
  p.n_k = 8;
  p.lq = {2};
  p.lk = {8};
  const Result observed = run(*make_plain("plain"), p, gaussian_inputs(p, 1));
  for (const Index i : {2, 3}) {
    EXPECT_EQ(observed.o.view().bits(0, 0, i, 0), 0u);
    EXPECT_EQ(observed.lse.view().value(0, 0, i, 0), -kInfinity);
  }
}

TEST(Plain, SurvivesADeadFirstTileAndScoresFarBelowZero) {
  Problem p = scored_problem(18);
  p.left = 1;  // bottom-right: the row sees keys 16 and 17 alone
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  fill(inputs.k, -200);
  fill(inputs.v, 3);
  const Result observed = run(*make_plain("plain"), p, inputs);
  EXPECT_EQ(observed.o.view().value(0, 0, 0, 0), 3);
  EXPECT_NEAR(observed.lse.view().value(0, 0, 0, 0), -200 + std::log(2.0), 2e-5);
}

TEST(Plain, SurvivesALargeOffsetByDifferenceFirstAlone) {
  // Scores 2^20 and 2^20 - 1, far past where the fused form has lost the weight.
  Problem p = scored_problem(2, Format::f32);
  const Inputs inputs = scored_inputs(p, {0x1p20, 0x1p20 - 1});
  const double exact = 1 + 1 / (1 + std::exp(1.0));
  const auto error = [&](Exponent exponent) {
    const Result observed = run(*make_plain("plain", {.exponent = exponent}), p, inputs);
    return std::fabs(observed.o.view().value(0, 0, 0, 0) - exact);
  };
  EXPECT_LT(error(Exponent::difference_first), 1e-6);
  EXPECT_GT(error(Exponent::product_first), 1e-4);
}

TEST(Plain, FlushesWeightsWhereItSaysSo) {
  // exp(-88) is subnormal in binary32, and v makes it visible.
  Problem p = scored_problem(2, Format::bf16);
  Inputs inputs = scored_inputs(p, {0, -88});
  set(inputs.v, 0, 0, 0, 0, 0);
  set(inputs.v, 0, 0, 1, 0, 0x1p126);
  const Result gradual = run(*make_plain("plain"), p, inputs);
  const Result flushed = run(*make_plain("plain", {.exp_ftz = true}), p, inputs);
  EXPECT_NEAR(gradual.o.view().value(0, 0, 0, 0), std::ldexp(std::exp(-88.0), 126), 0.01);
  EXPECT_EQ(flushed.o.view().value(0, 0, 0, 0), 0);
}

TEST(Plain, SumsTheWeightsItSaysItSums) {
  // exp(-0.25) = 0.7788 is no bf16 value; LSE sees which one went into l.
  Problem p = scored_problem(2, Format::bf16);
  const Inputs inputs = scored_inputs(p, {0, -0.25});
  const auto lse = [&](LFrom l_from) {
    const Result observed = run(*make_plain("plain", {.l_from = l_from}), p, inputs);
    return observed.lse.view().value(0, 0, 0, 0);
  };
  const double rounded = round_to_format(Format::bf16, std::exp(-0.25));
  EXPECT_NEAR(lse(LFrom::unrounded), std::log1p(std::exp(-0.25)), 1e-7);
  EXPECT_NEAR(lse(LFrom::rounded), std::log1p(rounded), 1e-7);
  EXPECT_GT(std::fabs(rounded - std::exp(-0.25)), 1e-4);
}

TEST(Plain, DeclaresEveryFieldOfItsArithmetic) {
  Problem p;
  p.in = Format::bf16;
  p.out = Format::f32;
  const auto plain = make_plain("plain", {.tile_k = 32, .exponent = Exponent::fused});
  const Numerics n = plain->numerics(p, Unit::fp32_seq);
  const auto unknown = [&](PlainConfig config) {
    const std::string text = to_string(numerics_of(config, p));
    const bool any = text.find("unknown") != std::string::npos;
    return any ? text : std::string();
  };
  EXPECT_EQ(unknown({.part_k = 32}), "");
  EXPECT_EQ(n.split, SplitKeys{});  // no parts, so part_k and combine have no value
  EXPECT_EQ(n.part_k, std::nullopt);
  EXPECT_EQ(n.combine, std::nullopt);
  EXPECT_EQ(n.p_format, Format::bf16);
  EXPECT_EQ(n.o_format, Format::f32);
  EXPECT_EQ(n.tile_k, 32);
  EXPECT_EQ(n.exponent, Exponent::fused);
  EXPECT_EQ(plain->semantics().nonfinite, NonFinite::row_local);
  EXPECT_EQ(plain->semantics().beyond_lengths, BeyondLengths::zero);
}

TEST(Plain, DeclinesWhatItCannotComputeInASentence) {
  const auto plain = make_plain("plain");
  Problem p;
  EXPECT_FALSE(plain->unsupported(p, Unit::fp32_seq));
  EXPECT_NE(plain->unsupported(p, Unit::h100).value_or("").find("h100"), std::string::npos);
  p.in = Format::f64;
  EXPECT_NE(plain->unsupported(p, Unit::fp32_seq).value_or("").find("f64"), std::string::npos);
  p.in = Format::f32;
  p.out = Format::f64;
  EXPECT_NE(plain->unsupported(p, Unit::fp32_seq).value_or("").find("f64"), std::string::npos);
}

}  // namespace
}  // namespace attest::plain_test
