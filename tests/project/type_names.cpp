#include "tests/project/type_names.hpp"

#include <map>

#include "tests/project/tokens.hpp"

namespace attest::project {
namespace {

bool opens_type(std::string_view word) {
  return word == "struct" || word == "class" || word == "union" || word == "enum";
}

// Reads one text from brace to brace.
class Reader {
 public:
  explicit Reader(std::string_view text) : code_(code_of(text)) {}

  std::vector<DefinedType> run() {
    while (at_ < code_.size()) step();
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t n) const {
    return n < code_.size() ? code_[n].text : std::string_view();
  }

  void step() {
    if (word(at_) == "namespace") return enter_namespace();
    if (word(at_) == "}") {
      if (!scopes_.empty()) scopes_.pop_back();
      ++at_;
    } else if (word(at_) == "{") {
      skip_braces();
    } else if (word(at_) == "template" && word(at_ + 1) == "<") {
      ++at_;
      skip_pair("<", ">");
    } else if (opens_type(word(at_))) {
      read_type();
    } else {
      ++at_;
    }
  }

  // Up to its brace; an alias has none.
  void enter_namespace() {
    std::string name;
    while (++at_ < code_.size() && word(at_) != "{" && word(at_) != ";") {
      if (code_[at_].kind == TokenKind::identifier) name += std::string(word(at_)) + "::";
    }
    if (word(at_) == "{") scopes_.push_back(name);
    ++at_;
  }

  // `at_` is at the opening one.
  void skip_pair(std::string_view open, std::string_view close) {
    int depth = 0;
    do {
      if (word(at_) == open) ++depth;
      if (word(at_) == close) --depth;
      if (open == "<" && word(at_) == ">>") depth -= 2;
      ++at_;
    } while (depth > 0 && at_ < code_.size());
  }
  void skip_braces() { skip_pair("{", "}"); }

  void read_type() {
    ++at_;
    if (word(at_) == "class" || word(at_) == "struct") ++at_;  // of an enum
    while (word(at_) == "[" || word(at_) == "alignas") {
      if (word(at_) == "alignas") ++at_;
      word(at_) == "[" ? skip_pair("[", "]") : skip_pair("(", ")");
    }
    if (at_ >= code_.size() || code_[at_].kind != TokenKind::identifier) return;
    const Token name = code_[at_++];
    if (word(at_) == "final") ++at_;
    if (word(at_) != "{" && word(at_) != ":") return;  // declared, used, or specialised
    while (at_ < code_.size() && word(at_) != "{" && word(at_) != ";") ++at_;
    if (word(at_) != "{") return;
    skip_braces();
    std::string full;
    for (const std::string& scope : scopes_) {
      if (scope.empty()) return;
      full += scope;
    }
    found_.push_back({full + std::string(name.text), name.line});
  }

  std::vector<Token> code_;
  std::size_t at_ = 0;
  std::vector<std::string> scopes_;  // of namespaces, "attest::"; "" is unnamed
  std::vector<DefinedType> found_;
};

// Headers for programs of others are in none with the layers.
bool is_header(std::string_view path) {
  if (path.find("/include/attest/") != std::string_view::npos) return false;
  return path.ends_with(".hpp") || path.ends_with(".h") || path.ends_with(".cuh");
}

}  // namespace

std::vector<DefinedType> types_defined_in(std::string_view text) { return Reader(text).run(); }

std::vector<std::string> twin_types(const std::vector<ProjectFile>& files) {
  std::map<std::pair<bool, std::string>, std::string> first;  // file, by machine and name
  std::vector<std::string> violations;
  for (const ProjectFile& file : files) {
    if (!is_header(file.path)) continue;
    for (const DefinedType& type : types_defined_in(file.text)) {
      const auto [known, is_new] = first.try_emplace({is_cuda(file.path), type.name}, file.path);
      if (is_new || known->second == file.path) continue;
      violations.push_back(file.path + ":" + std::to_string(type.line) + ": " + type.name +
                           " is defined in " + known->second + ", too");
    }
  }
  return violations;
}

}  // namespace attest::project
