// Goal: each rule of others decides as its source says: just inside its limit it accepts, just
// outside it rejects, and it accepts the rounded exact answer.
#include "judge/rivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

const RivalRule& rule_named(std::string_view name) {
  const auto found = std::ranges::find(rival_rules(), name, &RivalRule::name);
  if (found == rival_rules().end()) throw std::invalid_argument(std::string(name));
  return *found;
}

// Eight elements of 1 and two rows of LSE 2; the companion is off by 1/128 in one element.
RuledOutputs ones(Format format) {
  RuledOutputs out;
  out.format = format;
  out.exact_o.assign(8, 1);
  out.o = out.companion_o = out.exact_o;
  out.companion_o[3] += 0x1p-7;
  out.exact_lse.assign(2, 2);
  out.lse = out.exact_lse;
  return out;
}

// One element off by so much.
RuledOutputs off_by(Format format, double error) {
  RuledOutputs out = ones(format);
  out.o[5] += error;
  return out;
}

void expect_limit(std::string_view name, Format format, double limit) {
  const RivalRule& rule = rule_named(name);
  EXPECT_TRUE(rule.accepts(off_by(format, limit * (1 - 1e-9)))) << name;
  EXPECT_FALSE(rule.accepts(off_by(format, limit * (1 + 1e-9)))) << name;
}

TEST(RivalRules, AcceptTheExactAnswer) {
  for (const RivalRule& rule : rival_rules()) {
    for (const Format format : {Format::f16, Format::bf16, Format::f32}) {
      EXPECT_TRUE(rule.accepts(ones(format))) << rule.name;
    }
  }
}

TEST(RivalRules, RejectANaN) {
  for (const RivalRule& rule : rival_rules()) {
    for (const std::size_t at : {0, 5, 7}) {
      RuledOutputs out = ones(Format::bf16);
      out.o[at] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(rule.accepts(out)) << rule.name;
    }
  }
}

TEST(RivalRules, OfACompanionAllowTwiceItsLargestError) {
  for (const Format format : {Format::f16, Format::bf16}) {
    expect_limit("flash-attention 2", format, 0x1p-6 + 1e-5);
  }
}

// 1 + 0.3 - 0.3 in f16: 1.3 is 0x1.4ccp+0 there, and 1 comes back but for 2^-11 or nothing.
TEST(RivalRules, OfACompanionAllowTwiceTheRoundingOfAnAddition) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const double up = round_to_format(format, 1.3);
    const double back = std::fabs(round_to_format(format, up - 0.3) - 1);
    expect_limit("flash-attention 3", format, 0x1p-6 + 2 * back);
  }
}

TEST(RivalRules, OfACompanionAllowElevenTenthsOfItsMeanError) {
  expect_limit("FlexAttention", Format::f16, 1.1 * 0x1p-7);
  expect_limit("FlexAttention", Format::f32, 10 * 0x1p-7);
}

TEST(RivalRules, OfElementsAllowAnAbsoluteAndARelativePart) {
  expect_limit("torch.testing", Format::f16, 1e-5 + 1e-3);
  expect_limit("torch.testing", Format::bf16, 1e-5 + 1.6e-2);
  expect_limit("torch.testing", Format::f32, 1e-5 + 1.3e-6);
  expect_limit("TransformerEngine", Format::f16, 2e-3);
  expect_limit("TransformerEngine", Format::bf16, 3e-2);
  expect_limit("flashinfer", Format::f16, 2e-3);
  expect_limit("flashinfer", Format::bf16, 2e-2);
  expect_limit("cudnn-frontend", Format::f16, 4e-2);
}

TEST(RivalRules, OfLargestAndMeanErrorLookAtLseToo) {
  const RivalRule& rule = rule_named("CUTLASS 77");
  expect_limit("CUTLASS 77", Format::f16, 8e-3);  // the mean of eight
  RuledOutputs out = ones(Format::f16);
  out.lse[1] += 1.99e-3;
  EXPECT_TRUE(rule.accepts(out));
  out.lse[1] += 2e-5;
  EXPECT_FALSE(rule.accepts(out));
  out = ones(Format::f16);
  out.o.resize(4000, 1), out.exact_o.resize(4000, 1);
  out.o[0] += 0.0101;
  EXPECT_FALSE(rule.accepts(out));
}

TEST(RivalRules, OfSquaresLookAtTheWholeTensor) {
  expect_limit("llama.cpp", Format::f16, std::sqrt(5e-4 * 8));
}

TEST(RivalRules, TakeEqualInfinitiesForEqual) {
  for (const RivalRule& rule : rival_rules()) {
    RuledOutputs out = ones(Format::f16);
    out.lse[0] = out.exact_lse[0] = -std::numeric_limits<double>::infinity();
    EXPECT_TRUE(rule.accepts(out)) << rule.name;
  }
}

}  // namespace
}  // namespace attest
