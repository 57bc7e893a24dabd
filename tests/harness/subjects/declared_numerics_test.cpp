// Goal: one text declares formats that follow the problem's.
#include "harness/subjects/declared_numerics.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest::declared_numerics_test {
namespace {

Problem of_formats(Format in, Format out) {
  Problem p;
  p.in = in;
  p.out = out;
  return p;
}

TEST(DeclaredNumerics, FollowTheFormatsOfTheProblem) {
  const DeclaredNumerics declared(
      "unit=h100;p_format=in;o_format=out;scale_at=q:in;ds_format=f32;split=none");
  EXPECT_EQ(declared.unit(), Unit::h100);
  for (const Format in : {Format::f16, Format::bf16}) {
    const Numerics numerics = declared.of(of_formats(in, Format::f32));
    EXPECT_EQ(numerics.p_format, in);
    EXPECT_EQ(numerics.scale_at->q, in);
    EXPECT_EQ(numerics.o_format, Format::f32);
    EXPECT_EQ(numerics.ds_format, Format::f32);
  }
}

TEST(DeclaredNumerics, AreOtherwiseTheText) {
  const std::string text = "exponent=fused;p_format=bf16;tile_k=64";
  EXPECT_EQ(DeclaredNumerics(text).of(of_formats(Format::f16, Format::f16)), parse_numerics(text));
  EXPECT_EQ(DeclaredNumerics("").of({}), Numerics{});
}

TEST(DeclaredNumerics, RefuseWhatHasNoMeaning) {
  EXPECT_TRUE(refusal_of([] { (void)DeclaredNumerics("p_format=inn"); }).says("'inn'"));
  EXPECT_TRUE(refusal_of([] { (void)DeclaredNumerics("exponent=in"); }).says("exponent"));
  EXPECT_TRUE(refusal_of([] { (void)DeclaredNumerics("p_format"); }).says("p_format"));
}

}  // namespace
}  // namespace attest::declared_numerics_test
