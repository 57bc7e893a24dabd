#include "tests/project/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace attest::project {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (skip_blanks(), at_ < text_.size()) {
      const std::size_t start = at_;
      const int line = line_;
      const TokenKind kind = read();
      line_ += static_cast<int>(std::ranges::count(text_.substr(start, at_ - start), '\n'));
      const bool comment = kind == TokenKind::comment;
      tokens_.push_back({kind, text_.substr(start, at_ - start), line, fresh_line_ && !comment});
      if (!comment) fresh_line_ = false;
    }
    return tokens_;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool next_is(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }
  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (next_is("\\\n")) {
        ++line_;
        at_ += 2;
      } else if (peek() == '\n') {
        ++line_;
        ++at_;
        fresh_line_ = true;
      } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  // Reads one token from at_ on and says what it was.
  TokenKind read() {
    if (next_is("//")) return read_line_comment();
    if (next_is("/*")) {
      at_ += 2;
      skip_past("*/");
      return TokenKind::comment;
    }
    if (peek() == '"') return read_quoted('"', TokenKind::string);
    if (peek() == '\'') return read_quoted('\'', TokenKind::character);
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return read_number();
    if (in_name(peek())) return read_name();
    at_ += next_is("::") ? 2 : 1;
    return TokenKind::punctuation;
  }

  TokenKind read_line_comment() {
    while (at_ < text_.size() && peek() != '\n') at_ += next_is("\\\n") ? 2 : 1;
    return TokenKind::comment;
  }

  // A literal does not go on past its line: an apostrophe in a disabled branch stays harmless.
  TokenKind read_quoted(char quote, TokenKind kind) {
    ++at_;
    while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    if (peek() == quote) ++at_;
    at_ = std::min(at_, text_.size());
    return kind;
  }

  TokenKind read_raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return read_quoted('"', TokenKind::string);
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = open;
    skip_past(end);
    return TokenKind::string;
  }

  TokenKind read_number() {
    while (in_name(peek()) || peek() == '.' || (peek() == '\'' && in_name(peek(1)))) {
      const bool exponent = std::string_view("eEpP").find(peek()) != std::string_view::npos;
      ++at_;
      if (exponent && (peek() == '+' || peek() == '-')) ++at_;
    }
    return TokenKind::number;
  }

  TokenKind read_name() {
    static const std::set<std::string_view> raw = {"R", "LR", "uR", "UR", "u8R"};
    static const std::set<std::string_view> plain = {"L", "u", "U", "u8"};
    const std::size_t start = at_;
    while (in_name(peek())) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (peek() == '"' && raw.contains(name)) return read_raw_string();
    if (peek() == '"' && plain.contains(name)) return read_quoted('"', TokenKind::string);
    if (peek() == '\'' && plain.contains(name)) return read_quoted('\'', TokenKind::character);
    return TokenKind::identifier;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool fresh_line_ = true;
  std::vector<Token> tokens_;
};

std::vector<Token> without_comments(std::string_view text) {
  std::vector<Token> tokens = tokens_of(text);
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::comment; });
  return tokens;
}

bool opens_include(const std::vector<Token>& tokens, std::size_t n) {
  return tokens[n].first_on_line && tokens[n].text == "#" && n + 1 < tokens.size() &&
         (tokens[n + 1].text == "include" || tokens[n + 1].text == "include_next");
}

// One past the last token of the directive that starts at n.
std::size_t end_of_directive(const std::vector<Token>& tokens, std::size_t n) {
  do {
    ++n;
  } while (n < tokens.size() && !tokens[n].first_on_line);
  return n;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).run(); }

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  const std::vector<Token> tokens = without_comments(text);
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    if (!opens_include(tokens, n)) continue;
    const std::size_t end = end_of_directive(tokens, n);
    Include include{"", false, tokens[n].line};
    if (n + 2 < end && tokens[n + 2].kind == TokenKind::string) {
      include.quoted = true;
      include.name = tokens[n + 2].text.substr(1, tokens[n + 2].text.size() - 2);
    } else if (n + 2 < end && tokens[n + 2].text == "<") {
      for (std::size_t part = n + 3; part < end && tokens[part].text != ">"; ++part) {
        include.name += tokens[part].text;
      }
    }
    includes.push_back(include);
  }
  return includes;
}

std::vector<Token> code_of(std::string_view text) {
  std::vector<Token> code;
  const std::vector<Token> tokens = without_comments(text);
  for (std::size_t n = 0; n < tokens.size();) {
    if (opens_include(tokens, n)) {
      n = end_of_directive(tokens, n);
      continue;
    }
    const TokenKind kind = tokens[n].kind;
    if (kind == TokenKind::identifier || kind == TokenKind::punctuation) code.push_back(tokens[n]);
    ++n;
  }
  return code;
}

}  // namespace attest::project
