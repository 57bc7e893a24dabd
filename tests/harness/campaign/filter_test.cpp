// Goal: a filter admits exactly what it says, and what it cannot mean is refused with the place.
#include "harness/campaign/filter.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest::filter_test {
namespace {

const Case& sample() {
  static const Case c = parse_case(
      "attest1:b=2;hq=6;hk=2;nq=63;nk=130;dqk=64;dv=32;in=f16;out=f32;scale=0x1p-3;left=inf;"
      "right=0;align=br;lq=63,10;lk=130,7;pass=fwd;family=F7;seed=42");
  return c;
}

bool admits(const char* text) { return Filter(text).admits_case(sample()); }

TEST(Filter, EmptyAdmitsEverything) {
  EXPECT_TRUE(Filter().empty());
  EXPECT_TRUE(Filter("").empty());
  EXPECT_TRUE(admits(""));
  EXPECT_TRUE(Filter("").admits_law("accuracy"));
  EXPECT_TRUE(Filter("").admits_subject("plain"));
}

TEST(Filter, EqualsAndDiffers) {
  EXPECT_TRUE(admits("nk=130"));
  EXPECT_FALSE(admits("nk=13"));
  EXPECT_TRUE(admits("nk!=13"));
  EXPECT_FALSE(admits("nk!=130"));
  EXPECT_TRUE(admits("in=f16"));
  EXPECT_FALSE(admits("in=bf16"));
  EXPECT_TRUE(admits("align=br;pass=fwd;left=inf;right=0;seed=42"));
}

TEST(Filter, ComparesNumbers) {
  EXPECT_TRUE(admits("nk>=130"));
  EXPECT_TRUE(admits("nk<=130"));
  EXPECT_FALSE(admits("nk>130"));
  EXPECT_FALSE(admits("nk<130"));
  EXPECT_TRUE(admits("nk>129"));
  EXPECT_TRUE(admits("nk<131"));
  // As numbers and not as text, where "9" is after "130".
  EXPECT_TRUE(admits("nk>9"));
  EXPECT_FALSE(admits("nk<9"));
}

TEST(Filter, ReadsEveryNumberThatACaseStringHolds) {
  EXPECT_TRUE(admits("scale=0x1p-3"));
  EXPECT_TRUE(admits("scale>=0.125"));
  EXPECT_FALSE(admits("scale>0.125"));
  EXPECT_TRUE(admits("left>1000"));  // inf
  EXPECT_TRUE(admits("right>-1"));
  EXPECT_TRUE(admits("seed>=42"));
}

TEST(Filter, OrderIsFalseWhereThereIsNoNumber) {
  EXPECT_FALSE(admits("in>=1"));
  EXPECT_FALSE(admits("lq>=1"));  // a list of lengths is not one number
}

TEST(Filter, TakesAlternatives) {
  EXPECT_TRUE(admits("family=F1,F7,F21"));
  EXPECT_FALSE(admits("family=F1,F21"));
  EXPECT_FALSE(admits("family!=F1,F7"));
  EXPECT_TRUE(admits("family!=F1,F21"));
}

TEST(Filter, TakesWildcards) {
  EXPECT_TRUE(admits("family=F*"));
  EXPECT_TRUE(admits("nk=1*0"));
  EXPECT_TRUE(admits("nk=1*"));
  EXPECT_FALSE(admits("nk=2*"));
  EXPECT_TRUE(admits("lq=63*"));
}

TEST(Filter, MeetsAllClausesOrNone) {
  EXPECT_TRUE(admits("family=F7;nk>=64;nk<200"));
  EXPECT_FALSE(admits("family=F7;nk>=64;nk<130"));
  EXPECT_TRUE(admits("family=F7;"));  // a trailing ';' is no clause
}

TEST(Filter, AnAbsentKeyEqualsNothing) {
  const Case full = parse_case(
      "attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
      "align=br;pass=fwd;data=q:3c00,k:3c00,v:3c00");
  EXPECT_FALSE(Filter("family=F*").admits_case(full));
  EXPECT_TRUE(Filter("family!=F7").admits_case(full));
  EXPECT_FALSE(Filter("lk=1").admits_case(full));
  EXPECT_FALSE(Filter("lk>=0").admits_case(full));
}

TEST(Filter, ClausesOnLawAndSubjectLeaveCasesAlone) {
  const Filter filter("law=accuracy,one*;subject=variant/*;nk>=64");
  EXPECT_TRUE(filter.admits_case(sample()));
  EXPECT_TRUE(filter.admits_law("accuracy"));
  EXPECT_TRUE(filter.admits_law("one_key"));
  EXPECT_FALSE(filter.admits_law("containment"));
  EXPECT_TRUE(filter.admits_subject("variant/plain-fused"));
  EXPECT_FALSE(filter.admits_subject("plain"));
  EXPECT_FALSE(Filter("law!=accuracy").admits_law("accuracy"));
  EXPECT_TRUE(Filter("law!=accuracy").admits_law("dead_rows"));
  EXPECT_FALSE(Filter("subject!=plain").admits_subject("plain"));
}

TEST(Filter, RefusesAnUnknownKeyAndListsTheKnownOnes) {
  const Refusal refusal = refusal_of([] { Filter("nk>=64;famly=F7"); });
  EXPECT_TRUE(refusal.at(7)) << refusal.message;
  EXPECT_TRUE(refusal.says("unknown key 'famly'")) << refusal.message;
  for (const char* key : {"b", "nk", "scale", "align", "lq", "family", "seed", "law", "subject"}) {
    EXPECT_TRUE(refusal.says(key)) << key;
  }
}

TEST(Filter, RefusesUnknownNamesAndListsTheKnownOnes) {
  const Refusal family = refusal_of([] { Filter("family=F7,F99"); });
  EXPECT_TRUE(family.at(10)) << family.message;
  EXPECT_TRUE(family.says("unknown family 'F99'; known: ")) << family.message;
  const Refusal law = refusal_of([] { Filter("nk>=2;law=acuracy"); });
  EXPECT_TRUE(law.at(10)) << law.message;
  EXPECT_TRUE(law.says("unknown law 'acuracy'; known: accuracy")) << law.message;
  const Refusal subject = refusal_of([] { Filter("subject!=plian"); });
  EXPECT_TRUE(subject.at(9)) << subject.message;
  EXPECT_TRUE(subject.says("unknown subject 'plian'; known: plain")) << subject.message;
  EXPECT_TRUE(refusal_of([] { Filter("law=*_rowz"); }).at(4));
  EXPECT_TRUE(refusal_of([] { Filter("in=f17"); }).says("unknown format 'f17'; known: f64, f32"));
}

TEST(Filter, RefusesWhatIsNoClause) {
  EXPECT_TRUE(refusal_of([] { Filter("nk"); }).at(0));
  EXPECT_TRUE(refusal_of([] { Filter("nq=1;;nk=2"); }).at(5));
  EXPECT_TRUE(refusal_of([] { Filter("nk~3"); }).says("'nk~3' is not key=value"));
  EXPECT_TRUE(refusal_of([] { Filter("=3"); }).at(0));
  EXPECT_TRUE(refusal_of([] { Filter("nk!3"); }).refused);
}

TEST(Filter, ComparesWithOneNumberOnly) {
  for (const char* text : {"nk>=", "nk>=x", "nk<1,2", "nk>1*"}) {
    const Refusal refusal = refusal_of([&] { Filter filter(text); });
    EXPECT_TRUE(refusal.at(2)) << text;
    EXPECT_TRUE(refusal.says("compares with one number")) << text;
  }
}

}  // namespace
}  // namespace attest::filter_test
