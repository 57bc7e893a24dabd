// fuzz_target.hpp - what a fuzz target is: one function that takes any bytes, and ends the process
// where attest does what it must not do with them.
//
// Each target is built twice: with clang's libFuzzer (preset fuzz), which makes up bytes, and with
// replay_corpus.cpp, which replays those of corpus/ as a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/contract.hpp"
#include "core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace attest {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

[[nodiscard]] inline std::vector<std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  return {bytes.begin(), bytes.end()};
}

// What parses is handed on; what is refused has to be refused in words that have a blame.
template <class Parse, class Use>
void read_any(Blame blame, Parse parse, Use use) {
  std::optional<decltype(parse())> parsed;
  try {
    parsed.emplace(parse());
  } catch (const Error& error) {
    ATTEST_EXPECTS(error.blame() == blame);
    ATTEST_EXPECTS(!std::string_view(error.what()).empty());
  }
  if (parsed) use(*parsed);
}

}  // namespace attest
