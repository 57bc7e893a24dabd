// Goal: the rules read what a compiler would read, so that nothing hides from them and nothing in a
// comment or a string alarms them.
#include "tests/project/tokens.hpp"

#include <gtest/gtest.h>

namespace attest::project {
namespace {

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (const Token& token : code_of(text)) {
    if (token.kind == TokenKind::identifier) names.emplace_back(token.text);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Tokens, CommentsAndLiteralsHoldNoNames) {
  EXPECT_EQ(names_in("a // b\nc /* d\n e */ f"), (Names{"a", "c", "f"}));
  EXPECT_EQ(names_in("a \"b \\\" c\" d 'e' '\\'' f"), (Names{"a", "d", "f"}));
  EXPECT_EQ(names_in("a u8\"b\" L'c' d"), (Names{"a", "d"}));
  EXPECT_EQ(names_in("a // b \\\n c\nd"), (Names{"a", "d"}));
}

TEST(Tokens, RawStringsEndWhereTheyShould) {
  EXPECT_EQ(names_in("a R\"(b \" c \\)\" d"), (Names{"a", "d"}));
  EXPECT_EQ(names_in("a R\"x(b )\" c)x\" d"), (Names{"a", "d"}));
}

TEST(Tokens, DigitSeparatorsOpenNoCharacter) {
  EXPECT_EQ(names_in("0x7ff0'0000'0000 a 1'000 b 0x1p-3 c 1e+5f d .5 e"),
            (Names{"a", "b", "c", "d", "e"}));
}

TEST(Tokens, KnowTheirLines) {
  const auto tokens = tokens_of("a\n/* b\n*/ c \\\nd\n\ne");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[2].text, "c");
  EXPECT_EQ(tokens[2].line, 3);
  EXPECT_TRUE(tokens[2].first_on_line);
  EXPECT_EQ(tokens[3].line, 4);
  EXPECT_FALSE(tokens[3].first_on_line);  // the line goes on
  EXPECT_EQ(tokens[4].line, 6);
}

TEST(Includes, AreFoundHoweverTheyAreSpelt) {
  const auto includes = includes_of(
      "#include \"a/b.hpp\"\n"
      "  #  include <c/d-e.h>  // why\n"
      "#/**/include/**/\"f.hpp\"\n"
      "#include \\\n \"g.hpp\"\n"
      "#include MACRO\n"
      "#ifdef NEVER\n#include \"h.hpp\"\n#endif\n");
  ASSERT_EQ(includes.size(), 6u);
  EXPECT_EQ(includes[0].name, "a/b.hpp");
  EXPECT_TRUE(includes[0].quoted);
  EXPECT_EQ(includes[1].name, "c/d-e.h");
  EXPECT_FALSE(includes[1].quoted);
  EXPECT_EQ(includes[1].line, 2);
  EXPECT_EQ(includes[2].name, "f.hpp");
  EXPECT_EQ(includes[3].name, "g.hpp");
  EXPECT_EQ(includes[4].name, "");
  EXPECT_EQ(includes[5].name, "h.hpp");
}

TEST(Includes, InCommentsAndStringsAreNone) {
  EXPECT_TRUE(includes_of("// #include \"a.hpp\"\n/*\n#include \"b.hpp\"\n*/\n"
                          "const char* s = R\"(\n#include \"c.hpp\"\n)\";\nx = # include;\n")
                  .empty());
}

}  // namespace
}  // namespace attest::project
