// Goal: every field of a declaration is explained, and its words are those that the text form
// reads.
#include "core/numerics_fields.hpp"

#include <gtest/gtest.h>

#include "core/numerics.hpp"

namespace attest::numerics_fields_test {
namespace {

TEST(NumericsFields, AreThoseOfTheTextFormAndAllExplained) {
  std::string text;
  for (const NumericsField& field : numerics_fields()) {
    EXPECT_FALSE(field.about.empty()) << field.key;
    EXPECT_TRUE(field.values.ends_with(", unknown")) << field.key;
    text += (text.empty() ? "" : ";") + std::string(field.key) + "=unknown";
  }
  EXPECT_EQ(text, to_string(Numerics{}));
}

TEST(NumericsFields, NameWordsThatAreRead) {
  for (const NumericsField& field : numerics_fields()) {
    const std::string first = field.values.substr(0, field.values.find(','));
    const bool word = first.find_first_of(" <") == std::string::npos;
    if (!word) continue;
    EXPECT_NO_THROW((void)parse_numerics(std::string(field.key) + "=" + first));
  }
}

}  // namespace
}  // namespace attest::numerics_fields_test
