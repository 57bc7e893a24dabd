// Goal: a declaration of conventions crosses every interface as text and arrives as it was. All
// 1,944 declarations there are get tried.
#include "core/semantics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/core/refusal.hpp"

namespace attest::semantics_test {
namespace {

std::vector<Semantics> every_semantics() {
  std::vector<Semantics> all = {Semantics{}};
  const auto vary = [&](auto Semantics::*member, auto... values) {
    std::vector<Semantics> more;
    for (Semantics semantics : all) {
      for (const auto value : {values...}) {
        semantics.*member = value;
        more.push_back(semantics);
      }
    }
    all = more;
  };
  vary(&Semantics::dead_o, DeadO::zero, DeadO::nan, DeadO::unspecified);
  vary(&Semantics::dead_lse, DeadLse::minus_inf, DeadLse::plus_inf, DeadLse::unspecified);
  vary(&Semantics::lse_base, LseBase::e, LseBase::two);
  vary(&Semantics::lse_scaled, true, false);
  vary(&Semantics::align_top_left, true, false);
  vary(&Semantics::align_bottom_right, true, false);
  vary(&Semantics::window, WindowEdge::inclusive, WindowEdge::exclusive);
  vary(&Semantics::nonfinite, NonFinite::row_local, NonFinite::propagate, NonFinite::unspecified);
  vary(&Semantics::beyond_lengths, BeyondLengths::zero, BeyondLengths::untouched,
       BeyondLengths::unspecified);
  // A subject that can express neither alignment can express no problem: no text says so.
  std::erase_if(all, [](const Semantics& s) { return !s.align_top_left && !s.align_bottom_right; });
  return all;
}

TEST(SemanticsLaw, TextReadsBackToTheSameDeclaration) {
  std::set<std::string> texts;
  for (const Semantics& semantics : every_semantics()) {
    const std::string text = to_string(semantics);
    texts.insert(text);
    ASSERT_EQ(parse_semantics(text), semantics) << text;
  }
  EXPECT_EQ(texts.size(), 3u * 3 * 2 * 2 * 3 * 2 * 3 * 3);
}

TEST(Semantics, PrintsEveryField) {
  EXPECT_EQ(to_string(Semantics{}),
            "dead_o=unspecified;dead_lse=unspecified;lse_base=e;lse_scaled=yes;aligns=tl,br;window="
            "inclusive;"
            "nonfinite=unspecified;beyond_lengths=unspecified");
}

TEST(Semantics, AbsentKeysKeepTheirDefaults) {
  EXPECT_EQ(parse_semantics(""), Semantics{});
  Semantics base_two;
  base_two.lse_base = LseBase::two;
  EXPECT_EQ(parse_semantics("lse_base=2"), base_two);
}

TEST(SemanticsText, IsRefusedWhereItsKeyIsUnknownAndListsTheKnownOnes) {
  const Refusal refusal = refusal_of([] { (void)parse_semantics("dead_o=nan;dead_q=nan"); });
  EXPECT_TRUE(refusal.at(11)) << refusal.message;
  EXPECT_TRUE(
      refusal.says("unknown key 'dead_q'; known: dead_o, dead_lse, lse_base, lse_scaled, "
                   "aligns, window, nonfinite, beyond_lengths"))
      << refusal.message;
}

TEST(SemanticsText, IsRefusedWhereAValueIsUnknownAndListsTheKnownOnes) {
  const struct {
    std::string text;
    std::size_t offset;
    std::string words;
  } refusals[] = {
      {"dead_o=inf", 7, "unknown value of dead_o 'inf'; known: zero, nan, unspecified"},
      {"dead_o=nan;dead_lse=inf", 20, "known: -inf, +inf, unspecified"},
      {"lse_base=10", 9, "known: e, 2"},
      {"lse_scaled=true", 11, "known: yes, no"},
      {"aligns=br,tl", 7, "known: tl,br, tl, br"},
      {"aligns=", 7, "unknown value of aligns ''"},
      {"window=open", 7, "known: inclusive, exclusive"},
      {"nonfinite=local", 10, "known: row_local, propagate, unspecified"},
      {"beyond_lengths= zero", 15, "known: zero, untouched, unspecified"},
  };
  for (const auto& [text, offset, words] : refusals) {
    const Refusal refusal = refusal_of([&] { (void)parse_semantics(text); });
    EXPECT_TRUE(refusal.at(offset)) << refusal.message;
    EXPECT_TRUE(refusal.says(words)) << refusal.message;
  }
}

TEST(SemanticsText, IsRefusedAtAKeyThatComesTwice) {
  const Refusal refusal = refusal_of([] { (void)parse_semantics("dead_o=nan;dead_o=nan"); });
  EXPECT_TRUE(refusal.at(11)) << refusal.message;
  EXPECT_TRUE(refusal.says("'dead_o' comes twice")) << refusal.message;
}

}  // namespace
}  // namespace attest::semantics_test
