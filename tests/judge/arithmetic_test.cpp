// Goal: a declaration becomes the constants of its arithmetic: each unit's accumulation constant as
// tabulated and as its adder can attain it, and unknown fields at the cost of the worst choice.
#include "judge/arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/judge/declarations.hpp"

namespace attest::arithmetic_test {
namespace {

constexpr double kU = 0x1p-24;

Problem problem_in(Format in, Format out) {
  Problem p;
  p.in = in;
  p.out = out;
  return p;
}

Resolved on(Unit unit, Index tile_k = 16) {
  Numerics n = sharpest();
  n.unit = unit;
  n.tile_k = tile_k;
  return resolve(n, problem_in(Format::f16, Format::f16));
}

// Undoes Gam / (1 - Gam), and counts in units of u.
double in_u(double gam) { return gam / (1 + gam) / kU; }

void expect_u(double gam, double units) { EXPECT_NEAR(in_u(gam), units, 1e-9 * units); }

TEST(Arithmetic, CostsFullBlocksWhatTheTableSays) {
  // Per block of b products: (b - 1) 2^-F + 2^-23, in u = 2^-24.
  const struct {
    Unit unit;
    Index width;
    double per_block;
  } rows[] = {{Unit::fp32_seq, 1, 1},
              {Unit::exact_rn, 16, 1},
              {Unit::v100, 4, 3 * 2 + 2},
              {Unit::a100, 8, 7 + 2},
              {Unit::h100, 16, 15 * 0.5 + 2}};
  for (const auto& [unit, width, per_block] : rows) {
    for (const Index blocks : {1, 2, 5, 16}) {
      const Index length = width * blocks;
      const double units = per_block * static_cast<double>(blocks);
      expect_u(gam_of_dot(on(unit), length, length), units);
      // The simple form, ceil(L / b) (b 2^-F + 2^-23), is never smaller.
      EXPECT_LE(units, 2.5 * static_cast<double>(length)) << name_of(unit);
    }
  }
}

TEST(Arithmetic, CostsEveryProductOfAnUnknownUnitTwoAndAHalfRoundings) {
  for (const Index length : {1, 3, 64, 1000}) {
    expect_u(gam_of_dot(on(Unit::device), length, length), 2.5 * static_cast<double>(length));
  }
}

TEST(Arithmetic, TakesATileAsLongAsAnybodyCanDeclare) {
  const Index longest = std::numeric_limits<Index>::max();
  for (const Unit unit : kUnits) {
    EXPECT_EQ(gam_of_pv(on(unit, longest), 40, 1), gam_of_pv(on(unit, 4096), 40, 1));
    EXPECT_EQ(gam_of_chain(on(unit), 40, longest, 3, 2), gam_of_chain(on(unit), 40, 4096, 3, 2));
  }
}

TEST(Arithmetic, SpreadsFewProductsOverAsManyBlocksAsThereAre) {
  // Three products in up to 16 blocks of a V100, A100: each alone, one truncation of 2^-23.
  expect_u(gam_of_dot(on(Unit::v100), 64, 3), 3 * 2);
  expect_u(gam_of_dot(on(Unit::a100), 64, 3), 3 * 2);
  // Ten products in the two blocks of a 16-slot A100 dot; in the one of an H100.
  expect_u(gam_of_dot(on(Unit::a100), 16, 10), 8 * 1 + 2 * 2);
  expect_u(gam_of_dot(on(Unit::h100), 16, 10), 9 * 0.5 + 2);
  // A ragged last block is a block.
  expect_u(gam_of_dot(on(Unit::v100), 5, 5), 3 * 2 + 2 * 2);
  expect_u(gam_of_dot(on(Unit::exact_rn), 17, 17), 2);
  for (const Unit unit : kUnits) {
    EXPECT_EQ(gam_of_dot(on(unit), 64, 0), 0) << name_of(unit);
  }
}

TEST(Arithmetic, ChainsTheTilesOfPVAndTheirRescales) {
  expect_u(gam_of_pv(on(Unit::fp32_seq), 40, 3), 40 + 2);
  expect_u(gam_of_pv(on(Unit::exact_rn), 40, 3), 3 + 2);
  expect_u(gam_of_pv(on(Unit::v100), 48, 3), 12 * 8 + 2);
  expect_u(gam_of_pv(on(Unit::h100), 48, 3), 3 * 9.5 + 2);
  // A tile of 8 keys still takes a block of the H100 each.
  expect_u(gam_of_pv(on(Unit::h100, 8), 48, 6), 42 * 0.5 + 6 * 2 + 5);
  // Five keys over three tiles of 16: at most five blocks have one.
  expect_u(gam_of_pv(on(Unit::a100), 5, 3), 5 * 2 + 2);
}

TEST(Arithmetic, CountsTheLongestChainOfTheRowSum) {
  Numerics n = sharpest();
  const Problem p = problem_in(Format::f16, Format::f16);
  EXPECT_EQ(gam_of_row_sum(resolve(n, p), 1, 1), 0);
  EXPECT_DOUBLE_EQ(gam_of_row_sum(resolve(n, p), 40, 3), (39 + 2) * kU);
  n.l_chain = LChain{4};
  // Never below the chain of one lane, the tree over lanes, and the rescales.
  EXPECT_GE(gam_of_row_sum(resolve(n, p), 40, 3), (10 - 1 + 2 + 2) * kU);
  EXPECT_LT(gam_of_row_sum(resolve(n, p), 4000, 3), 1010 * kU);
  EXPECT_EQ(gam_of_row_sum(resolve(n, p), 1, 1), 0);  // one key is added to nothing
}

TEST(Arithmetic, KnowsNoBoundWhereTheConstantReachesAHalf) {
  EXPECT_TRUE(std::isfinite(gam_of_dot(on(Unit::fp32_seq), 8'388'607, 8'388'607)));
  EXPECT_TRUE(std::isinf(gam_of_dot(on(Unit::fp32_seq), 8'388'608, 8'388'608)));
  EXPECT_TRUE(std::isinf(gam_of_pv(on(Unit::fp32_seq), 8'388'608, 524'288)));
}

TEST(Arithmetic, ListsEveryUnknownFieldAsAssumed) {
  const Resolved known = resolve(sharpest(), problem_in(Format::f16, Format::f16));
  EXPECT_TRUE(known.assumed.empty());
  const Resolved unknown = resolve(Numerics{}, problem_in(Format::f16, Format::f16));
  const std::vector<std::string> keys = {
      "unit",    "scale_at", "c",           "s_store",      "exponent",   "exp2",
      "exp_ftz", "p_format", "p_truncated", "p_normalised", "l_from",     "l_chain",
      "tile_k",  "order",    "divide",      "o_format",     "o_rounding", "lse_format",
      "log",     "ftz",      "o_ftz"};
  EXPECT_TRUE(std::ranges::is_permutation(unknown.assumed, keys));
  for (const std::string& key : keys) {
    const Numerics one = changed(sharpest(), key + "=unknown");
    EXPECT_EQ(resolve(one, problem_in(Format::f16, Format::f16)).assumed,
              std::vector<std::string>{key});
  }
}

TEST(Arithmetic, TakesUnknownFieldsAtTheirWorst) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const Resolved r = resolve(Numerics{}, problem_in(format, format));
    EXPECT_FALSE(r.unit_known);
    EXPECT_EQ(r.scale_at.q, format);
    EXPECT_EQ(r.u_c, 2 * kU);
    EXPECT_EQ(r.s_store, format == Format::f16 ? ScoreStore::f16 : ScoreStore::bf16);
    EXPECT_FALSE(r.exponent_known);
    EXPECT_EQ(r.eps, 5 * kU);
    EXPECT_EQ(r.eta_x, 0x1p-126);
    EXPECT_EQ(r.p_format, format);
    EXPECT_EQ(r.u_p, 2 * unit_roundoff(format));
    EXPECT_EQ(r.eta_p, smallest_subnormal(format));
    EXPECT_EQ(r.p_normalised, PNormalised::before_pv);
    EXPECT_TRUE(r.l_rounded_possible);
    EXPECT_TRUE(r.l_unrounded_possible);
    EXPECT_EQ(r.lanes, 1);
    EXPECT_EQ(r.tile_k, 16);
    EXPECT_EQ(r.u_div, 5 * kU);
    EXPECT_EQ(r.u_o, 2 * unit_roundoff(format));
    EXPECT_EQ(r.eta_o, smallest_normal(format));
    EXPECT_TRUE(r.log.approx);
    EXPECT_TRUE(r.ftz);
    EXPECT_EQ(r.eta, 0x1p-126);
  }
}

TEST(Arithmetic, TakesADeclaredFieldAtItsWord) {
  Numerics n = sharpest();
  Resolved r = resolve(n, problem_in(Format::f16, Format::f32));
  EXPECT_EQ(r.eta, 0x1p-149);  // what a truncating unit may lose; half of it to nearest
  EXPECT_EQ(r.eta_x, 0x1p-150);
  EXPECT_EQ(r.u_p, 0);
  EXPECT_EQ(r.eta_p, 0);
  EXPECT_EQ(r.u_o, 0);  // the division rounds to binary32, the store does not round again
  EXPECT_EQ(r.u_c, kU);
  EXPECT_EQ(r.u_div, kU);
  EXPECT_FALSE(r.o_saturates);
  n = changed(n, "p_format=f16;c=log2e_first;divide=reciprocal;o_format=bf16;exp_ftz=yes");
  r = resolve(n, problem_in(Format::f16, Format::bf16));
  EXPECT_EQ(r.u_p, 0x1p-11);
  EXPECT_EQ(r.eta_p, 0x1p-25);
  EXPECT_EQ(r.u_c, 1.23 * kU);
  EXPECT_EQ(r.u_div, 2 * kU + kU * kU);
  EXPECT_EQ(r.u_o, 0x1p-8);
  EXPECT_EQ(r.eta_o, 0x1p-134);
  EXPECT_EQ(r.eta_x, 0x1p-126);
  n = changed(n, "p_truncated=yes;o_rounding=toward_zero");
  r = resolve(n, problem_in(Format::f16, Format::bf16));
  EXPECT_EQ(r.u_p, 0x1p-10);
  EXPECT_EQ(r.eta_p, 0x1p-24);
  EXPECT_EQ(r.u_o, 0x1p-7);
  EXPECT_EQ(r.eta_o, 0x1p-133);
  EXPECT_TRUE(r.o_saturates);
}

TEST(Arithmetic, AssumesScoresOnChipOnlyOfWhoDeclaresATile) {
  Numerics n;
  EXPECT_EQ(resolve(n, problem_in(Format::f32, Format::f32)).s_store, ScoreStore::f32);
  n.tile_k = 64;
  EXPECT_EQ(resolve(n, problem_in(Format::f16, Format::f16)).s_store, ScoreStore::none);
}

// Whatever a declaration says, it never costs more than saying nothing. (Left out: fields whose
// unknown value is by convention the usual one and not the worst: tile_k, lse_format, o_format,
// exp2, log.)
TEST(ArithmeticLaw, SayingNothingCostsNoLessThanAnyDeclaration) {
  const char* declarations[] = {"unit=fp32-seq",
                                "unit=exact-rn",
                                "unit=v100",
                                "unit=a100",
                                "unit=h100",
                                "unit=device",
                                "scale_at=scores",
                                "c=once",
                                "c=log2e_first",
                                "exp_ftz=no",
                                "exp_ftz=yes",
                                "p_truncated=no",
                                "p_truncated=yes",
                                "divide=exact",
                                "divide=reciprocal",
                                "divide=approx",
                                "o_rounding=nearest",
                                "o_ftz=no",
                                "o_ftz=yes",
                                "ftz=no",
                                "ftz=yes",
                                "l_from=rounded",
                                "l_from=unrounded",
                                "p_normalised=after",
                                "p_normalised=before",
                                "l_chain=lanes:32",
                                "o_rounding=toward_zero"};
  for (const Format in : {Format::f32, Format::f16, Format::bf16}) {
    const Problem p = problem_in(in, in);
    const Resolved worst = resolve(Numerics{}, p);
    for (const char* declaration : declarations) {
      const Resolved r = resolve(parse_numerics(declaration), p);
      for (const Index n : {Index{40}, Index{64}, Index{1000}}) {
        EXPECT_LE(gam_of_dot(r, n, n), gam_of_dot(worst, n, n)) << declaration;
        EXPECT_LE(gam_of_dot(r, n, n / 5), gam_of_dot(worst, n, n / 5)) << declaration;
        EXPECT_LE(gam_of_pv(r, n, (n + 15) / 16), gam_of_pv(worst, n, (n + 15) / 16))
            << declaration;
        EXPECT_LE(gam_of_row_sum(r, n, 1), gam_of_row_sum(worst, n, 1)) << declaration;
      }
      EXPECT_LE(r.u_c, worst.u_c) << declaration;
      EXPECT_LE(r.u_p, worst.u_p) << declaration;
      EXPECT_LE(r.eta_p, worst.eta_p) << declaration;
      EXPECT_LE(r.eta_x, worst.eta_x) << declaration;
      EXPECT_LE(r.u_div, worst.u_div) << declaration;
      EXPECT_LE(r.u_o, worst.u_o) << declaration;
      EXPECT_LE(r.eta_o, worst.eta_o) << declaration;
      EXPECT_LE(r.eta, worst.eta) << declaration;
      EXPECT_LE(r.l_rounded_possible, worst.l_rounded_possible) << declaration;
      EXPECT_LE(r.l_unrounded_possible, worst.l_unrounded_possible) << declaration;
    }
  }
}

}  // namespace
}  // namespace attest::arithmetic_test
