#include "core/key_values.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace attest {

std::vector<KeyValue> split_key_values(std::string_view what, std::string_view text,
                                       std::size_t offset) {
  std::vector<KeyValue> entries;
  if (text.empty()) return entries;
  // One past the end is still an entry, an empty one: a trailing ';' is refused like any other.
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    const std::string_view entry = text.substr(start, end - start);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      fail_at(what, offset + start, "'" + std::string(entry) + "' is not key=value");
    }
    entries.push_back({entry.substr(0, equals), entry.substr(equals + 1), offset + start,
                       offset + start + equals + 1});
    start = end + 1;
  }
  return entries;
}

void refuse_repeated_keys(std::string_view what, std::span<const KeyValue> entries) {
  for (std::size_t n = 1; n < entries.size(); ++n) {
    const auto earlier = entries.first(n);
    if (std::ranges::find(earlier, entries[n].key, &KeyValue::key) != earlier.end()) {
      fail_at(what, entries[n].key_offset, "key '" + std::string(entries[n].key) + "' comes twice");
    }
  }
}

void fail_at(std::string_view what, std::size_t offset, const std::string& problem) {
  throw Error(Blame::usage,
              std::string(what) + ": " + problem + " (at offset " + std::to_string(offset) + ")");
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         std::span<const std::string_view> known) {
  std::string text = "unknown " + std::string(kind) + " '" + std::string(name) + "'; known: ";
  for (std::size_t n = 0; n < known.size(); ++n) {
    if (n != 0) text += ", ";
    text += known[n];
  }
  return text;
}

}  // namespace attest
