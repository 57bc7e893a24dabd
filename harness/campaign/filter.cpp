#include "harness/campaign/filter.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/hex_float.hpp"
#include "core/key_values.hpp"
#include "core/problem_text.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/glob.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "filter";
constexpr std::string_view kClauseKeys[] = {"b",  "hq",   "hk",     "nq",   "nk",    "dqk",    "dv",
                                            "in", "out",  "scale",  "left", "right", "align",  "lq",
                                            "lk", "pass", "family", "seed", "law",   "subject"};
// Longer ones first: ">" is a prefix of ">=".
constexpr std::string_view kComparisons[] = {"<=", ">=", "!=", "=", "<", ">"};

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    values.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return values;
}

bool compares(std::string_view comparison, double value, double bound) {
  if (comparison == "<") return value < bound;
  if (comparison == "<=") return value <= bound;
  if (comparison == ">") return value > bound;
  return value >= bound;
}

// Names that a value of the key may take; empty where it may be anything.
std::vector<std::string_view> names_for(std::string_view key) {
  std::vector<std::string_view> names;
  if (key == "law") {
    for (const Law& law : laws()) names.push_back(law.name);
  } else if (key == "family") {
    for (const Family& family : families()) names.push_back(family.name);
  } else if (key == "subject") {
    for (const CatalogueEntry& entry : catalogue()) names.push_back(entry.name);
  } else if (key == "in" || key == "out") {
    for (const Format format : kFormats) names.push_back(shape_of(format).name);
  }
  return names;
}

// A name that nothing has would silently select nothing, or everything.
void refuse_unknown_names(std::string_view key, std::span<const std::string> values,
                          std::size_t offset) {
  const std::vector<std::string_view> known = names_for(key);
  for (const std::string& value : values) {
    const auto meets = [&](std::string_view name) { return glob_matches(value, name); };
    if (!known.empty() && std::ranges::none_of(known, meets)) {
      const bool format = key == "in" || key == "out";
      fail_at(kWhat, offset, unknown_name(format ? "format" : key, value, known));
    }
    offset += value.size() + 1;
  }
}

// "nk==4" or "nk=17.." would silently select nothing.
void refuse_bad_numbers(std::string_view key, std::span<const std::string> values,
                        std::size_t offset) {
  constexpr std::string_view numeric[] = {"b", "hq", "hk", "nq", "nk", "dqk", "dv", "seed"};
  if (std::ranges::find(numeric, key) == std::end(numeric)) return;
  for (const std::string& value : values) {
    if (value.find('*') == std::string::npos && !parse_number(value)) {
      fail_at(kWhat, offset, "'" + value + "' is no number for '" + std::string(key) + "'");
    }
    offset += value.size() + 1;
  }
}

bool is_order(std::string_view comparison) { return comparison != "=" && comparison != "!="; }

}  // namespace

Filter::Filter(std::string_view text) : text_(text) {
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    const std::string_view entry = text.substr(start, end - start);
    const std::size_t at = std::min(entry.find_first_of("=<>!"), entry.size());
    Clause clause{std::string(entry.substr(0, at)), {}, {}};
    for (const std::string_view comparison : kComparisons) {
      if (clause.comparison.empty() && entry.substr(at).starts_with(comparison)) {
        clause.comparison = comparison;
      }
    }
    if (clause.comparison.empty()) {
      fail_at(kWhat, start, "'" + std::string(entry) + "' is not key=value or key>=number");
    }
    if (std::ranges::find(kClauseKeys, clause.key) == std::end(kClauseKeys)) {
      fail_at(kWhat, start, unknown_name("key", clause.key, kClauseKeys));
    }
    clause.values = split_values(entry.substr(at + clause.comparison.size()));
    if (is_order(clause.comparison) &&
        (clause.values.size() != 1 || !parse_number(clause.values[0]))) {
      fail_at(kWhat, start + at, "'" + clause.comparison + "' compares with one number");
    }
    if (!is_order(clause.comparison)) {
      refuse_unknown_names(clause.key, clause.values, start + at + clause.comparison.size());
      refuse_bad_numbers(clause.key, clause.values, start + at + clause.comparison.size());
    }
    clauses_.push_back(std::move(clause));
    start = end + 1;
  }
}

bool Filter::Clause::meets(std::string_view value) const {
  if (is_order(comparison)) {
    const auto number = parse_number(value);
    return number && compares(comparison, *number, *parse_number(values[0]));
  }
  const bool any = std::ranges::any_of(
      values, [&](const std::string& pattern) { return glob_matches(pattern, value); });
  return any == (comparison == "=");
}

bool Filter::admits_case(const Case& c) const {
  if (clauses_.empty()) return true;
  const std::string text = to_string(c);
  const auto entries = split_key_values(kWhat, strip_prefix(kWhat, text));
  return std::ranges::all_of(clauses_, [&](const Clause& clause) {
    if (clause.key == "law" || clause.key == "subject") return true;
    const auto entry = std::ranges::find(entries, clause.key, &KeyValue::key);
    // An absent key (lq, lk; family of a literal) has no value that a clause could name.
    if (entry == entries.end()) return clause.comparison == "!=";
    return clause.meets(entry->value);
  });
}

bool Filter::admits_law(std::string_view name) const {
  return std::ranges::all_of(
      clauses_, [&](const Clause& clause) { return clause.key != "law" || clause.meets(name); });
}

bool Filter::admits_subject(std::string_view name) const {
  return std::ranges::all_of(clauses_, [&](const Clause& clause) {
    return clause.key != "subject" || clause.meets(name);
  });
}

}  // namespace attest
