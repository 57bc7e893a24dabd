// Goal: each shape class holds where its name says so and not beside it; names are distinct.
#include "properties/shape_class.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/problem.hpp"

namespace attest::shape_class_test {
namespace {

// The names of the classes that hold, those of every unmasked problem left out.
std::set<std::string> classes_of(const std::string& keys) {
  std::set<std::string> names;
  const Problem p = parse_problem("attest1:" + keys + ";pass=fwd");
  for (const ShapeClass& shape : shape_classes()) {
    if (shape.holds(p)) names.insert(std::string(shape.name));
  }
  return names;
}

std::string keys(const std::string& sizes,
                 const std::string& band = "left=inf;right=inf;align=br") {
  return sizes + ";in=f16;out=f16;scale=0x1p+0;" + band;
}

using Names = std::set<std::string>;

TEST(ShapeClass, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const ShapeClass& shape : shape_classes()) names.insert(shape.name);
  EXPECT_EQ(names.size(), shape_classes().size());
  EXPECT_EQ(names.size(), 18u);
}

TEST(ShapeClass, PlainSquareProblemIsInNone) {
  EXPECT_EQ(classes_of(keys("b=1;hq=2;hk=2;nq=20;nk=20;dqk=8;dv=8")), Names{});
}

TEST(ShapeClass, TellsSizesApart) {
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=0;nk=0;dqk=1;dv=1")), Names{"empty_keys"});
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1")),
            (Names{"one_query", "one_key"}));
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=20;nk=0;dqk=1;dv=1")),
            (Names{"empty_keys", "rectangular", "dead_rows"}));
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=32;nk=32;dqk=1;dv=1")), Names{"tile_edge"});
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=33;nk=33;dqk=1;dv=1")),
            (Names{"tile_edge", "three_tiles"}));
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=19;nk=19;dqk=1;dv=1")), Names{"prime_keys"});
  EXPECT_EQ(classes_of(keys("b=1;hq=1;hk=1;nq=20;nk=20;dqk=65;dv=65")), Names{"wide_heads"});
  EXPECT_EQ(classes_of(keys("b=2;hq=6;hk=2;nq=20;nk=21;dqk=1;dv=2")),
            (Names{"batch", "gqa", "rectangular", "mixed_dims"}));
}

TEST(ShapeClass, TellsBandsApart) {
  const std::string square = "b=1;hq=1;hk=1;nq=20;nk=20;dqk=1;dv=1";
  EXPECT_EQ(classes_of(keys(square, "left=inf;right=0;align=tl")), Names{"causal_tl"});
  EXPECT_EQ(classes_of(keys(square, "left=inf;right=0;align=br")), Names{"causal_br"});
  EXPECT_EQ(classes_of(keys(square, "left=inf;right=2;align=br")), Names{"window"});
  EXPECT_EQ(classes_of(keys(square, "left=0;right=0;align=br")),
            (Names{"window", "dead_first_tile"}));
  EXPECT_EQ(classes_of(keys(square, "left=inf;right=-1;align=tl")),
            (Names{"negative_band", "dead_rows"}));
}

TEST(ShapeClass, ADeadFirstTileStartsAtTheSeventeenthKey) {
  const std::string square = "b=1;hq=1;hk=1;nq=20;nk=20;dqk=1;dv=1";
  EXPECT_EQ(classes_of(keys(square, "left=4;right=0;align=tl")), Names{"window"});
  EXPECT_EQ(classes_of(keys(square, "left=3;right=0;align=tl")),
            (Names{"window", "dead_first_tile"}));
}

TEST(ShapeClass, SeesLengths) {
  const std::string two = "b=2;hq=1;hk=1;nq=20;nk=20;dqk=1;dv=1";
  EXPECT_EQ(classes_of(keys(two, "left=inf;right=inf;align=br;lq=20,0")),
            (Names{"batch", "lengths"}));
  EXPECT_EQ(classes_of(keys(two, "left=inf;right=inf;align=br;lk=20,0")),
            (Names{"batch", "lengths", "empty_keys", "dead_rows"}));
  // Rows at or beyond lq are not dead: nothing is computed there.
  EXPECT_EQ(classes_of(keys(two, "left=inf;right=inf;align=br;lq=20,0;lk=20,0")),
            (Names{"batch", "lengths", "empty_keys"}));
}

}  // namespace
}  // namespace attest::shape_class_test
