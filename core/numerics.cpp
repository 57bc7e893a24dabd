#include "core/numerics.hpp"

#include <vector>

#include "core/key_values.hpp"
#include "core/numerics_fields.hpp"
#include "core/numerics_keys.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "numerics";

}  // namespace

std::vector<NumericsField> numerics_keys() {
  std::vector<NumericsField> keys;
  for (const NumericsKey& field : numerics_key_table()) {
    keys.push_back({field.key, field.values + std::string(kUnknownField), ""});
  }
  return keys;
}

std::string to_string(const Numerics& numerics) {
  std::string text;
  for (const NumericsKey& field : numerics_key_table()) {
    text += (text.empty() ? "" : ";") + std::string(field.key) + "=" + field.print(numerics);
  }
  return text;
}

Numerics parse_numerics(std::string_view text) {
  Numerics numerics;
  const auto entries = split_key_values(kWhat, text);
  refuse_repeated_keys(kWhat, entries);
  for (const KeyValue& entry : entries) {
    const NumericsKey* field = nullptr;
    std::vector<std::string_view> keys;
    for (const NumericsKey& candidate : numerics_key_table()) {
      keys.push_back(candidate.key);
      if (candidate.key == entry.key) field = &candidate;
    }
    if (field == nullptr) fail_at(kWhat, entry.key_offset, unknown_name("key", entry.key, keys));
    if (entry.value != kUnknownField && !field->read(numerics, entry.value)) {
      fail_at(kWhat, entry.value_offset,
              "'" + std::string(entry.value) + "' is no value of '" + std::string(entry.key) +
                  "'; known: " + field->values + std::string(kUnknownField));
    }
  }
  return numerics;
}

}  // namespace attest
