#include "harness/subjects/declared_numerics.hpp"

#include "core/format.hpp"
#include "core/key_values.hpp"

namespace attest {
namespace {

// At the end of a value: `in`, or `q:in`.
bool ends_in(std::string_view value, std::string_view word) {
  return value == word || (value.size() > word.size() && value.ends_with(word) &&
                           value[value.size() - word.size() - 1] == ':');
}

std::string with_formats(std::string_view text, std::string_view in, std::string_view out) {
  std::string filled;
  for (const KeyValue& entry : split_key_values("numerics", text)) {
    if (!filled.empty()) filled += ';';
    std::string value(entry.value);
    for (const auto& [word, format] : {std::pair{std::string_view("in"), in}, {"out", out}}) {
      if (ends_in(entry.value, word))
        value.replace(value.size() - word.size(), word.size(), format);
    }
    filled += std::string(entry.key) + "=" + value;
  }
  return filled;
}

}  // namespace

DeclaredNumerics::DeclaredNumerics(std::string_view text) : text_(text) {
  // Offsets in a message are those of the text as it is written, unless it names such a format.
  const std::string filled = with_formats(text, "f16", "f16");
  const bool fixed = filled == text;
  unit_ = parse_numerics(fixed ? text : std::string_view(filled)).unit;
}

Numerics DeclaredNumerics::of(const Problem& problem) const {
  return parse_numerics(with_formats(text_, shape_of(problem.in).name, shape_of(problem.out).name));
}

}  // namespace attest
