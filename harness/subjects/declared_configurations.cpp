#include "harness/subjects/declared_configurations.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/key_values.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "configurations";
constexpr std::string_view kNameLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:";

// The entries of `text`, those of `changes` in the place of their keys or behind them.
std::string replaced(std::string_view text, std::string_view changes) {
  std::string all(changes);
  const auto changed = split_key_values("numerics", changes);
  for (const KeyValue& entry : split_key_values("numerics", text)) {
    if (std::ranges::find(changed, entry.key, &KeyValue::key) != changed.end()) continue;
    if (!all.empty()) all += ';';
    all += std::string(entry.key) + "=" + std::string(entry.value);
  }
  return all;
}

void check_name(std::string_view name, std::size_t offset,
                const std::vector<DeclaredConfiguration>& earlier) {
  if (name.empty()) fail_at(kWhat, offset, "a line without a name");
  if (name.find_first_not_of(kNameLetters) != std::string_view::npos) {
    fail_at(kWhat, offset,
            "the name '" + std::string(name) + "' has others than letters, digits and -_./=:");
  }
  if (std::ranges::find(earlier, name, &DeclaredConfiguration::name) != earlier.end()) {
    fail_at(kWhat, offset, "'" + std::string(name) + "' comes twice");
  }
}

}  // namespace

std::vector<DeclaredConfiguration> parse_configurations(std::string_view text,
                                                        std::string_view numerics) {
  std::vector<DeclaredConfiguration> all;
  const auto unit = DeclaredNumerics(numerics).unit();
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, blank);
    check_name(name, start, all);
    const std::string_view changes = line.substr(std::min(blank + 1, line.size()));
    try {
      all.push_back({std::string(name), DeclaredNumerics(replaced(numerics, changes))});
    } catch (const Error& error) {
      throw Error(Blame::usage,
                  std::string(kWhat) + ": of '" + std::string(name) + "': " + error.what());
    }
    if (all.back().numerics.unit() != unit) {
      fail_at(kWhat, start, "'" + std::string(name) + "' declares another unit than the subject");
    }
    start = end + 1;
  }
  return all;
}

}  // namespace attest
