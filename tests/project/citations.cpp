#include "tests/project/citations.hpp"

#include <regex>

namespace attest::project {
namespace {

using Match = std::match_results<std::string_view::const_iterator>;

const std::string kNumber = "([0-9]+(?:\\.[0-9]+)*)";

// Takes `pattern` from the front of `text`, if it is there.
bool take(std::string_view& text, const std::regex& pattern, Match& match) {
  if (!std::regex_search(text.begin(), text.end(), match, pattern,
                         std::regex_constants::match_continuous)) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(match.length()));
  return true;
}

std::string in_singular(std::string kind) {
  if (kind == "Corollaries") return "Corollary";
  if (kind.ends_with('s')) kind.pop_back();
  return kind;
}

// Joins the lines of a comment, and the parts of a string that goes on in the next line.
std::string in_one_line(std::string_view source) {
  static const std::regex line_break("\"?[ \t]*\r?\n[ \t]*(?://+|\\*(?!\\*)|#+|\")?[ \t]*");
  return std::regex_replace(std::string(source), line_break, " ");
}

}  // namespace

std::set<std::string> results_labelled(std::string_view document) {
  static const std::regex label("(?:\\*\\*|(?:^|\n)#+ +)([A-Z][a-z]+) " + kNumber);
  std::set<std::string> results;
  const auto end = std::regex_iterator<std::string_view::const_iterator>();
  for (auto found = std::regex_iterator<std::string_view::const_iterator>(document.begin(),
                                                                          document.end(), label);
       found != end; ++found) {
    results.insert((*found)[1].str() + " " + (*found)[2].str());
  }
  return results;
}

std::set<std::string> results_cited(std::string_view source) {
  static const std::regex first("[,:]? *([A-Z][a-z]+) +" + kNumber);
  static const std::regex more("(?:,| and|, and| or| to|;) +(?:([A-Z][a-z]+) +)?" + kNumber);
  constexpr std::string_view kDocument = "error-analysis.md";
  std::set<std::string> results;
  const std::string joined = in_one_line(source);
  for (std::size_t at = joined.find(kDocument); at != std::string::npos;
       at = joined.find(kDocument, at + 1)) {
    std::string_view rest = std::string_view(joined).substr(at + kDocument.size());
    Match match;
    if (!take(rest, first, match)) continue;
    std::string kind = in_singular(match[1].str());
    results.insert(kind + " " + match[2].str());
    while (take(rest, more, match)) {
      if (match[1].matched) kind = in_singular(match[1].str());
      results.insert(kind + " " + match[2].str());
    }
  }
  return results;
}

}  // namespace attest::project
