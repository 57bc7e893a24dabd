// tokens.hpp - C++ text as tokens, as far as the project's rules need it.
//
// A rule about includes must not read comments, a rule about identifiers must not read strings, and
// both must survive raw strings, digit separators and continued lines. No preprocessing is done: a
// rule holds in the branches that this machine does not compile as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::project {

enum class TokenKind { comment, string, character, number, identifier, punctuation };

struct Token {
  TokenKind kind;
  std::string_view text;  // of the given text, delimiters included
  int line;               // from 1
  bool first_on_line;     // of the tokens that are no comments; continued lines are one line
};

[[nodiscard]] std::vector<Token> tokens_of(std::string_view text);

// `name` is empty where the include names a macro.
struct Include {
  std::string name;
  bool quoted;
  int line;
};

[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

// Tokens that may hold a name: no comments, no literals, no include directives.
[[nodiscard]] std::vector<Token> code_of(std::string_view text);

}  // namespace attest::project
