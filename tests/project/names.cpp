#include "tests/project/names.hpp"

#include <algorithm>
#include <cctype>

#include "tests/project/tokens.hpp"

namespace attest::project {
namespace {

constexpr std::string_view kBanned[] = {"reference", "expected", "truth", "tolerance",
                                        "epsilon",   "baseline", "util",  "utility",
                                        "helper",    "common",   "misc",  "manager"};

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }

// The banned word that the name holds, in the singular or the plural; empty if there is none.
std::string_view banned_word_in(std::string_view name) {
  for (const std::string& word : words_of(name)) {
    for (const std::string_view banned : kBanned) {
      if (word == banned || word == std::string(banned) + "s") return banned;
    }
    if (word == "utilities" || word == "tolerances")
      return word == "utilities" ? "util" : "tolerance";
  }
  return {};
}

// Is the identifier at n the end of std::... or testing::...? Template arguments on the way, as in
// std::numeric_limits<double>::epsilon, are stepped over.
bool is_foreign(const std::vector<Token>& code, std::size_t n) {
  while (n >= 2 && code[n - 1].text == "::") {
    n -= 2;
    for (int depth = code[n].text == ">" ? 1 : 0; depth > 0 && n > 0;) {
      --n;
      depth += code[n].text == ">" ? 1 : code[n].text == "<" ? -1 : 0;
      if (depth == 0 && n > 0) --n;
    }
    if (code[n].text == "std" || code[n].text == "testing") return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t n = 0; n < name.size(); ++n) {
    if (!is_letter(name[n])) continue;
    const bool after_letter = n > 0 && is_letter(name[n - 1]);
    // A hump starts a word, and so does the last capital of several before a small letter.
    const bool hump = is_upper(name[n]) && after_letter &&
                      (is_lower(name[n - 1]) || (n + 1 < name.size() && is_lower(name[n + 1])));
    if (!after_letter || hump) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[n])));
  }
  return words;
}

std::vector<std::string> name_violations(const ProjectFile& file) {
  std::vector<std::string> violations;
  if (const auto word = banned_word_in(file.path); !word.empty()) {
    violations.push_back(file.path + ":1: the file's name holds '" + std::string(word) + "'");
  }
  if (!is_cpp(file.path)) return violations;
  const std::vector<Token> code = code_of(file.text);
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (code[n].kind != TokenKind::identifier) continue;
    const std::string_view word = banned_word_in(code[n].text);
    if (word.empty() || is_foreign(code, n)) continue;
    violations.push_back(file.path + ":" + std::to_string(code[n].line) + ": the name '" +
                         std::string(code[n].text) + "' holds '" + std::string(word) + "'");
  }
  return violations;
}

}  // namespace attest::project
