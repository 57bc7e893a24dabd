// key_values.hpp - the text form "key=value;key=value" of problems, cases, numerics and semantics.
//
// Reads front to back and reports what is wrong with the offset it stands at, so that a long case
// string pasted from a log is mended at a glance.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

struct KeyValue {
  std::string_view key;
  std::string_view value;
  std::size_t key_offset;    // in the text, from 0
  std::size_t value_offset;  // likewise
};

// `what` names the text in messages ("case string"). `offset` is where `text` starts in the text
// that the user typed. Throws Error (usage) on an entry without '=', or an empty key.
[[nodiscard]] std::vector<KeyValue> split_key_values(std::string_view what, std::string_view text,
                                                     std::size_t offset = 0);

// For texts whose keys come in any order: throws Error (usage) at a key that is there twice, since
// which of the two counts would be anybody's guess.
void refuse_repeated_keys(std::string_view what, std::span<const KeyValue> entries);

// Throws Error (usage): "<what>: <problem> (at offset <n>)".
[[noreturn]] void fail_at(std::string_view what, std::size_t offset, const std::string& problem);

// "unknown key 'x'; known: a, b, c".
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view name,
                                       std::span<const std::string_view> known);

}  // namespace attest
