// Goal: one text declares configurations, each with the subject's numerics but for its own line.
#include "harness/subjects/declared_configurations.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest {
namespace {

constexpr char kNumerics[] = "unit=h100;tile_k=128;p_format=in;split=none";

TEST(DeclaredConfigurations, HaveTheSubjectsNumericsButForTheirOwn) {
  const auto all = parse_configurations(
      "tile=64 tile_k=64\nplain\nsplits=3 split=normalised:f32;part_k=256", kNumerics);
  ASSERT_EQ(all.size(), 3U);
  Problem p;
  p.in = Format::bf16;
  const Numerics own = DeclaredNumerics(kNumerics).of(p);
  Numerics tile = own;
  tile.tile_k = 64;
  EXPECT_EQ(all[0].name, "tile=64");
  EXPECT_EQ(all[0].numerics.of(p), tile);
  EXPECT_EQ(all[1].name, "plain");
  EXPECT_EQ(all[1].numerics.of(p), own);
  Numerics split = own;
  split.split = SplitKeys{Format::f32};
  split.part_k = 256;
  EXPECT_EQ(all[2].numerics.of(p), split);
  EXPECT_EQ(all[2].numerics.of(p).p_format, Format::bf16);
  EXPECT_TRUE(parse_configurations("", kNumerics).empty());
  EXPECT_EQ(parse_configurations("a tile_k=8\n", "").at(0).numerics.of(p),
            parse_numerics("tile_k=8"));
}

TEST(DeclaredConfigurations, RefuseWhatHasNoMeaning) {
  const auto refused = [](const char* text) {
    return refusal_of([&] { (void)parse_configurations(text, kNumerics); });
  };
  EXPECT_TRUE(refused("a\n\nb").says("a line without a name"));
  EXPECT_TRUE(refused("a b").says("of 'a': numerics: 'b' is not key=value"));
  EXPECT_TRUE(refused("a,b").says("'a,b' has others than letters, digits and -_./=:"));
  EXPECT_TRUE(refused("a\na").says("'a' comes twice"));
  EXPECT_TRUE(refused("a tile_k=0").says("of 'a'"));
  EXPECT_TRUE(refused("a colour=blue").says("colour"));
  EXPECT_TRUE(refused("a unit=a100").says("'a' declares another unit than the subject"));
  EXPECT_EQ(refused("a,b").blame, Blame::usage);
}

}  // namespace
}  // namespace attest
