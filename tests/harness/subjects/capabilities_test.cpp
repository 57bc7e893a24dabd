// Goal: a declaration asks for exactly the problems that it names, and what nobody understands is
// refused where it stands.
#include "harness/subjects/capabilities.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "properties/draw.hpp"
#include "tests/core/refusal.hpp"

namespace attest::capabilities_test {
namespace {

Problem square(Index d = 64) {
  Problem p;
  p.n_q = p.n_k = 8;
  p.d_qk = p.d_v = d;
  return p;
}

bool asks(const std::string& capabilities, const Problem& problem) {
  return !beyond(parse_capabilities(capabilities), problem);
}

TEST(Capabilities, NeedFormatsAndLeaveEverythingElseAtItsLeast) {
  EXPECT_TRUE(refusal_of([] { (void)parse_capabilities(""); }).says("no key 'formats'"));
  const Capabilities least = parse_capabilities("formats=f16");
  EXPECT_EQ(least.formats, std::vector{FormatPair{}});
  EXPECT_EQ(least.masks, Masks{});
  EXPECT_FALSE(least.head_dims || least.gqa || least.varlen || least.glse || least.cuda);
  EXPECT_EQ(least.alignment, 1);
}

TEST(Capabilities, NameFormatsAlikeOrInPairs) {
  Problem p = square();
  EXPECT_TRUE(asks("formats=f16", p));
  EXPECT_FALSE(asks("formats=bf16", p));
  p.out = Format::f32;
  EXPECT_FALSE(asks("formats=f16,f32", p));
  EXPECT_TRUE(asks("formats=bf16,f16:f32", p));
}

TEST(Capabilities, NameHeadDimensions) {
  EXPECT_TRUE(asks("formats=f16;head_dims=any", square(7)));
  EXPECT_TRUE(asks("formats=f16;head_dims=64,128", square()));
  EXPECT_FALSE(asks("formats=f16;head_dims=64,128", square(96)));
  Problem mixed = square();
  mixed.d_v = 32;
  EXPECT_FALSE(asks("formats=f16;head_dims=64,32", mixed));
  EXPECT_TRUE(asks("formats=f16;head_dims=64:32", mixed));
}

TEST(Capabilities, TellKindsOfMasksApart) {
  Problem full = square(), causal = square(), window = square(), past = square();
  causal.right = 0;
  window.left = 3;
  window.right = 1;
  past.right = -1;
  const struct {
    std::string masks;
    bool full, causal, window, past;
  } rows[] = {{"", true, false, false, false},
              {";masks=full", true, false, false, false},
              {";masks=causal", false, true, false, false},
              {";masks=full,window", true, true, true, false},
              {";masks=band", true, true, true, true}};
  for (const auto& row : rows) {
    const std::string text = "formats=f16" + row.masks;
    EXPECT_EQ(asks(text, full), row.full) << text;
    EXPECT_EQ(asks(text, causal), row.causal) << text;
    EXPECT_EQ(asks(text, window), row.window) << text;
    EXPECT_EQ(asks(text, past), row.past) << text;
  }
}

TEST(Capabilities, DeclineWhatTheyDoNotDeclare) {
  Problem groups = square(), lengths = square(), glse = square();
  groups.heads_q = 2;
  lengths.lk = {3};
  glse.pass = Pass::bwd;
  glse.lse_gradient = true;
  const struct {
    std::string key;
    Problem problem;
  } rows[] = {{"gqa", groups}, {"varlen", lengths}, {"glse", glse}};
  for (const auto& [key, problem] : rows) {
    EXPECT_EQ(beyond(parse_capabilities("formats=f16"), problem), "it declares no " + key);
    EXPECT_TRUE(asks("formats=f16;" + key + "=yes", problem)) << key;
    EXPECT_FALSE(asks("formats=f16;" + key + "=no", problem)) << key;
  }
}

// Problems of all kinds, as they are drawn.
std::vector<Problem> drawn_problems() {
  std::vector<Problem> problems;
  for (std::uint64_t index = 0; index < 400; ++index) {
    problems.push_back(draw(5, index, index % 3 == 0 ? Pass::bwd : Pass::fwd).problem);
  }
  return problems;
}

TEST(Capabilities, HaveANearestProblemWithinThemForEveryOne) {
  for (const char* text :
       {"formats=bf16;head_dims=128;masks=causal;gqa=yes", "formats=f16", "formats=f32,bf16:f32",
        "formats=f16,bf16;head_dims=64,192:128;masks=window;varlen=yes",
        "formats=e4m3:bf16;head_dims=any;masks=band;glse=yes", "formats=f16;masks=causal,window"}) {
    const Capabilities capabilities = parse_capabilities(text);
    for (const Problem& drawn : drawn_problems()) {
      const Problem fitted = nearest(capabilities, drawn);
      EXPECT_EQ(beyond(capabilities, fitted), std::nullopt) << text << " " << to_string(drawn);
      EXPECT_EQ(defect_of(fitted), "") << to_string(fitted);
      const bool within = !beyond(capabilities, drawn);
      EXPECT_TRUE(!within || fitted == drawn);
      EXPECT_EQ(fitted.n_k, drawn.n_k);
    }
  }
}

TEST(Capabilities, BringAllOfTheirFormatsAndDimensions) {
  const Capabilities capabilities =
      parse_capabilities("formats=f16,bf16:f32;head_dims=64,128;masks=full,causal");
  std::set<std::tuple<Format, Format, Index, bool>> met;
  for (const Problem& drawn : drawn_problems()) {
    const Problem fitted = nearest(capabilities, drawn);
    met.insert({fitted.in, fitted.out, fitted.d_qk, fitted.right == 0});
  }
  EXPECT_EQ(met.size(), 8U);
}

TEST(Capabilities, KeepAsMuchOfAMaskAsTheyCan) {
  Problem window = square();
  window.left = 3;
  window.right = 1;
  EXPECT_EQ(nearest(parse_capabilities("formats=f16;masks=full,causal"), window).right, 0);
  EXPECT_EQ(nearest(parse_capabilities("formats=f16;masks=full"), window).left, kUnlimited);
  Problem past = square();
  past.right = -1;
  EXPECT_EQ(nearest(parse_capabilities("formats=f16;masks=window"), past).right, 0);
}

TEST(Capabilities, RefuseWhatTheyDoNotKnowWhereItStands) {
  const struct {
    std::string text, words;
    std::size_t offset;
  } rows[] = {{"formats=f16;paged=yes", "unknown key 'paged'; known: formats, head_dims", 12},
              {"formats=f16,f17", "unknown format 'f17'", 12},
              {"formats=f16:", "unknown format ''", 8},
              {"formats=f16;head_dims=64,0", "'0' is no positive number", 25},
              {"formats=f16;head_dims=", "'' is no positive number", 22},
              {"formats=f16;masks=causal,prefix", "unknown mask 'prefix'", 25},
              {"formats=f16;gqa=maybe", "'maybe' is neither yes nor no", 16},
              {"formats=f16;alignment=24", "no power of two", 22},
              {"formats=f16;alignment=8192", "no power of two up to 4096", 22},
              {"formats=f16;device=tpu", "unknown device 'tpu'; known: cpu, cuda", 19},
              {"formats=f16;gqa=yes;gqa=yes", "key 'gqa' comes twice", 20}};
  for (const auto& [text, words, offset] : rows) {
    const Refusal refusal = refusal_of([&] { (void)parse_capabilities(text); });
    EXPECT_TRUE(refusal.says(words)) << refusal.message;
    EXPECT_TRUE(refusal.at(offset)) << refusal.message;
  }
}

TEST(Promises, AreMadeOneByOne) {
  EXPECT_FALSE(parse_promises("").deterministic);
  EXPECT_TRUE(parse_promises("deterministic=yes").deterministic);
  EXPECT_FALSE(parse_promises("deterministic=yes").batch_invariant);
  EXPECT_TRUE(parse_promises("batch_invariant=yes").batch_invariant);
  EXPECT_TRUE(refusal_of([] {
                (void)parse_promises("fast=yes");
              }).says("known: deterministic, batch_invariant"));
}

}  // namespace
}  // namespace attest::capabilities_test
