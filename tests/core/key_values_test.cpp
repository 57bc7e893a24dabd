// Goal: a text of key=value pairs comes apart at the offsets that a person would count, and what is
// not such a text is refused there.
#include "core/key_values.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest::key_values_test {
namespace {

TEST(KeyValues, GiveTheirOffsetsInTheTypedText) {
  const auto entries = split_key_values("text", "a=1;bc=;d=x=y", 8);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].key, "a");
  EXPECT_EQ(entries[0].value, "1");
  EXPECT_EQ(entries[0].key_offset, 8u);
  EXPECT_EQ(entries[0].value_offset, 10u);
  EXPECT_EQ(entries[1].key, "bc");
  EXPECT_EQ(entries[1].value, "");
  EXPECT_EQ(entries[1].key_offset, 12u);
  EXPECT_EQ(entries[1].value_offset, 15u);
  EXPECT_EQ(entries[2].key, "d");
  EXPECT_EQ(entries[2].value, "x=y");
}

TEST(KeyValues, OfNothingAreNone) { EXPECT_TRUE(split_key_values("text", "").empty()); }

TEST(KeyValues, RefuseAnEntryThatIsNone) {
  const struct {
    std::string_view text;
    std::size_t offset;
  } texts[] = {{"a", 0},    {"a=1;b", 4}, {"=1", 0},   {"a=1;=2", 4},
               {"a=1;", 4}, {";", 0},     {";a=1", 0}, {"a=1;;b=2", 4}};
  for (const auto& [text, offset] : texts) {
    const Refusal refusal = refusal_of([&] { (void)split_key_values("text", text); });
    EXPECT_TRUE(refusal.at(offset)) << text << ": " << refusal.message;
    EXPECT_TRUE(refusal.says("text: ")) << refusal.message;
    EXPECT_TRUE(refusal.says("is not key=value")) << refusal.message;
  }
}

TEST(KeyValues, UnknownNamesListTheKnownOnes) {
  constexpr std::string_view known[] = {"one", "two"};
  EXPECT_EQ(unknown_name("key", "three", known), "unknown key 'three'; known: one, two");
}

}  // namespace
}  // namespace attest::key_values_test
