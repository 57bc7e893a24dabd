// Goal: a problem's text and the problem are the same thing, and a text that is none is refused at
// the place where it goes wrong.
#include "core/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/core/arbitrary_case.hpp"
#include "tests/core/refusal.hpp"

namespace attest::problem_test {
namespace {

const std::string kText =
    "attest1:b=2;hq=6;hk=2;nq=63;nk=130;dqk=64;dv=64;in=f16;out=f16;scale=0x1p-3;left=inf;"
    "right=0;align=br;lq=63,10;lk=130,7;pass=fwd";

// kText with one piece replaced, and where the piece stood.
struct Edited {
  std::string text;
  std::size_t offset;
};

Edited edited(const std::string& piece, const std::string& replacement) {
  Edited result{kText, kText.find(piece)};
  EXPECT_NE(result.offset, std::string::npos) << piece;
  result.text.replace(result.offset, piece.size(), replacement);
  return result;
}

Refusal refusal_of_text(const std::string& text) {
  return refusal_of([&] { (void)parse_problem(text); });
}

// `piece` becomes `replacement`, and the refusal points `into` characters into it and says `words`.
void refuses(const std::string& piece, const std::string& replacement, std::size_t into,
             const std::string& words) {
  const Edited edit = edited(piece, replacement);
  const Refusal refusal = refusal_of_text(edit.text);
  EXPECT_TRUE(refusal.at(edit.offset + into)) << replacement << ": " << refusal.message;
  EXPECT_TRUE(refusal.says(words)) << replacement << ": " << refusal.message;
}

TEST(Problem, OfTheInterfacesReadsAsWritten) {
  const Problem p = parse_problem(kText);
  EXPECT_EQ(p.batch, 2);
  EXPECT_EQ(p.heads_q, 6);
  EXPECT_EQ(p.heads_k, 2);
  EXPECT_EQ(p.n_q, 63);
  EXPECT_EQ(p.n_k, 130);
  EXPECT_EQ(p.d_qk, 64);
  EXPECT_EQ(p.d_v, 64);
  EXPECT_EQ(p.in, Format::f16);
  EXPECT_EQ(p.out, Format::f16);
  EXPECT_EQ(p.scale, 0.125f);
  EXPECT_EQ(p.left, kUnlimited);
  EXPECT_EQ(p.right, 0);
  EXPECT_EQ(p.align, Align::bottom_right);
  EXPECT_EQ(p.lq, (std::vector<Index>{63, 10}));
  EXPECT_EQ(p.lk, (std::vector<Index>{130, 7}));
  EXPECT_EQ(to_string(p), kText);
}

RC_GTEST_PROP(ProblemLaw, TextReadsBackToTheSameProblem, ()) {
  const Problem problem = *any_problem(5000);
  RC_ASSERT(defect_of(problem).empty());
  RC_ASSERT(parse_problem(to_string(problem)) == problem);
  RC_ASSERT(std::bit_cast<std::uint32_t>(parse_problem(to_string(problem)).scale) ==
            std::bit_cast<std::uint32_t>(problem.scale));
}

TEST(Problem, LengthsAreFullWhereTheyAreAbsent) {
  Problem p = parse_problem(kText);
  EXPECT_EQ(p.live_queries(1), 10);
  EXPECT_EQ(p.live_keys(1), 7);
  p.lq.clear();
  p.lk.clear();
  EXPECT_EQ(p.live_queries(1), 63);
  EXPECT_EQ(p.live_keys(1), 130);
  EXPECT_EQ(to_string(p).find("lq"), std::string::npos);
  EXPECT_EQ(parse_problem(to_string(p)), p);
}

TEST(Problem, DefaultScaleIsOneOverTheRootRoundedOnce) {
  EXPECT_EQ(default_scale(64), 0.125f);
  EXPECT_EQ(default_scale(1), 1.0f);
  for (Index d = 1; d <= 1024; ++d) {
    // Neither neighbouring binary32 lies closer to the root, computed in long double.
    const float s = default_scale(d);
    const long double exact = 1.0L / std::sqrt(static_cast<long double>(d));
    EXPECT_LE(std::fabs(s - exact), std::fabs(std::nextafter(s, 0.0f) - exact)) << d;
    EXPECT_LE(std::fabs(s - exact), std::fabs(std::nextafter(s, 2.0f) - exact)) << d;
  }
}

TEST(ProblemText, IsRefusedWhereItsKeyIsUnknownAndListsTheKnownOnes) {
  refuses("nk=130", "mk=130", 0,
          "unknown key 'mk'; known: b, hq, hk, nq, nk, dqk, dv, in, out, "
          "scale, left, right, align, lq, lk, pass");
  refuses(";pass=fwd", ";pass=fwd;family=F1", 10, "unknown key 'family'");
  refuses("lq=63,10", "lqs=63,10", 0, "unknown key 'lqs'");
}

TEST(ProblemText, KeepsTheOrderOfKeys) {
  refuses("nq=63;nk=130", "nk=130;nq=63", 0, "'nk' stands where 'nq' belongs");
  refuses("lq=63,10;lk=130,7", "lk=130,7;lq=63,10", 9, "'lq' stands where 'pass' belongs");
  refuses("b=2;", "b=2;b=2;", 4, "'b' stands where 'hq' belongs");
  refuses("hq=6;", "", 0, "'hk' stands where 'hq' belongs");
}

TEST(ProblemText, IsRefusedAtItsEndWhereAKeyIsMissing) {
  refuses(";pass=fwd", "", 0, "key 'pass' is missing");
  const Refusal bare = refusal_of_text("attest1:");
  EXPECT_TRUE(bare.at(8)) << bare.message;
  EXPECT_TRUE(bare.says("key 'b' is missing")) << bare.message;
}

TEST(ProblemText, IsRefusedWhereAValueIsNoneOfItsKey) {
  refuses("nq=63", "nq=6x", 3, "'6x' is not an integer");
  refuses("nq=63", "nq=", 3, "'' is not an integer");
  refuses("nq=63", "nq=+63", 3, "'+63' is not an integer");
  refuses("nq=63", "nq= 63", 3, "' 63' is not an integer");
  refuses("nq=63", "nq=63.0", 3, "'63.0' is not an integer");
  refuses("nq=63", "nq=99999999999999999999", 3, "is not an integer");
  refuses("in=f16", "in=fp16", 3,
          "unknown format 'fp16'; known: f64, f32, f16, bf16, tf32, e4m3, e5m2");
  refuses("align=br", "align=bl", 6, "unknown align 'bl'; known: tl, br");
  refuses("pass=fwd", "pass=both", 5, "unknown pass 'both'; known: fwd, bwd");
  refuses("pass=fwd", "pass=bwd;glse=no", 14, "unknown glse 'no'; known: yes");
  refuses("left=inf", "left=-inf", 5, "'-inf' is not an integer");
  refuses("lq=63,10", "lq=63,", 6, "'' is not an integer");
  refuses("lq=63,10", "lq=63,,10", 6, "'' is not an integer");
}

TEST(ProblemText, TakesOnlyAScaleThatIsAPositiveFiniteBinary32) {
  for (const char* scale : {"0", "-0x1p-3", "inf", "nan", "", "0.1", "0x1.000001p+0", "0x1p+128",
                            "0x1p-150", "1e-400", "one"}) {
    refuses("scale=0x1p-3", std::string("scale=") + scale, 6,
            "scale '" + std::string(scale) + "' is not a positive finite binary32");
  }
  for (const char* scale : {"0x1p-149", "0x1.fffffep+127", "0.125", "3"}) {
    const Problem p = parse_problem(edited("scale=0x1p-3", std::string("scale=") + scale).text);
    EXPECT_EQ(double{p.scale}, std::strtod(scale, nullptr));
  }
}

TEST(ProblemText, IsRefusedAtTheKeyWhoseSizeIsOutOfRange) {
  refuses("b=2", "b=0", 0, "b=0 is outside 1..");
  refuses("nq=63", "nq=-1", 0, "nq=-1 is outside 0..");
  refuses("dv=64", "dv=0", 0, "dv=0 is outside 1..");
  refuses("nk=130", "nk=2147483649", 0, "nk=2147483649 is outside 0..2147483648");
  refuses("hq=6", "hq=5", 0, "hq=5 is no multiple of hk=2");
  refuses("left=inf", "left=2147483649", 0, "left=2147483649 is beyond 2147483648");
  refuses("right=0", "right=-2147483649", 0, "right=-2147483649 is beyond 2147483648");
  refuses("left=inf", "left=9223372036854775807", 0, "left=9223372036854775807 is beyond");
}

TEST(ProblemText, IsRefusedAtTheLengthsThatDoNotFit) {
  refuses("lq=63,10", "lq=63", 0, "lq has 1 lengths for b=2");
  refuses("lk=130,7", "lk=130,7,1", 0, "lk has 3 lengths for b=2");
  refuses("lq=63,10", "lq=64,10", 0, "lq length 64 is outside 0..63");
  refuses("lk=130,7", "lk=130,-1", 0, "lk length -1 is outside 0..130");
}

TEST(ProblemText, GivesAGradientOfLseToTheBackwardPassOnly) {
  EXPECT_TRUE(parse_problem(edited("pass=fwd", "pass=bwd;glse=yes").text).lse_gradient);
  EXPECT_FALSE(parse_problem(edited("pass=fwd", "pass=bwd").text).lse_gradient);
  refuses("pass=fwd", "pass=fwd;glse=yes", 9, "glse=yes needs pass=bwd");
}

TEST(ProblemText, IsRefusedWhereATensorWouldBeBeyondCounting) {
  // Each size is allowed; their product would overflow the count of elements.
  const std::string most = "2147483648";
  const std::string text = "attest1:b=" + most + ";hq=" + most + ";hk=" + most + ";nq=" + most +
                           ";nk=" + most + ";dqk=" + most + ";dv=" + most +
                           ";in=f16;out=f16;scale=0x1p-3;left=inf;right=0;align=br;pass=fwd";
  const Refusal refusal = refusal_of_text(text);
  EXPECT_TRUE(refusal.at(text.find("nq="))) << refusal.message;
  EXPECT_TRUE(refusal.says("elements")) << refusal.message;
}

TEST(ProblemText, MayNameEmptyTensors) {
  Problem p = parse_problem(kText);
  p.n_q = p.n_k = 0;
  p.lq.clear();
  p.lk = {0, 0};
  EXPECT_EQ(volume(parse_problem(to_string(p)).q_extents()), 0);
  EXPECT_EQ(parse_problem(to_string(p)), p);
}

TEST(Problem, OfUpToTwoToTheThirtyThirdElementsATensorIsWellFormed) {
  Problem p;
  p.n_q = Index{1} << 31;
  p.d_qk = 4;
  EXPECT_EQ(defect_of(p), "");
  p.d_qk = 5;
  EXPECT_EQ(defect_of(p), "nq=2147483648 makes q or o a tensor of more than 2^33 elements");
  p.d_qk = 1;
  p.n_k = Index{1} << 31;
  p.d_v = 5;
  EXPECT_EQ(defect_of(p), "nq=2147483648 makes q or o a tensor of more than 2^33 elements");
  p.n_q = 1;
  EXPECT_EQ(defect_of(p), "nk=2147483648 makes k or v a tensor of more than 2^33 elements");
}

TEST(ProblemText, StartsWithItsPrefixAndEndsWithItsLastValue) {
  for (const char* text : {"", "attest", "attest2:b=1", "b=2;hq=6", " attest1:b=1"}) {
    const Refusal refusal = refusal_of_text(text);
    EXPECT_TRUE(refusal.at(0)) << refusal.message;
    EXPECT_TRUE(refusal.says("starts with 'attest1:'")) << refusal.message;
  }
  const Refusal trailing = refusal_of_text(kText + ";");
  EXPECT_TRUE(trailing.at(kText.size() + 1)) << trailing.message;
  const Refusal blank = refusal_of_text(kText + " ");
  EXPECT_TRUE(blank.at(kText.find("fwd"))) << blank.message;
  const Refusal leading = refusal_of_text("attest1: " + kText.substr(8));
  EXPECT_TRUE(leading.says("unknown key ' b'")) << leading.message;
}

}  // namespace
}  // namespace attest::problem_test
