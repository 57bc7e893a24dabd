// product_lines.hpp - products of tiles as lines of text, on any machine.
//
//   f16|bf16 <a, 16x16 row-major> <b, 16x8 row-major> <c, 16x8 row-major>  ->  <d, 16x8 row-major>
//
// Values are bits in hex without separators: 4 digits each of a and b, 8 of c and d.
#pragma once

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kernels/device/one_product.hpp"

namespace attest {

// Throws Error (usage) when `hex` does not hold `count` values.
template <class Value>
std::vector<Value> values_of_hex(const std::string& hex, std::size_t count) {
  constexpr std::size_t kDigits = 2 * sizeof(Value);
  if (hex.size() != count * kDigits ||
      hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw Error(Blame::usage, "a tile of " + std::to_string(count) + " values needs " +
                                  std::to_string(count * kDigits) + " hex digits, not '" + hex +
                                  "'");
  }
  std::vector<Value> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits =
        static_cast<std::uint32_t>(std::stoul(hex.substr(i * kDigits, kDigits), nullptr, 16));
    std::memcpy(&values[i], &bits, sizeof(Value));  // the low bytes come first
  }
  return values;
}

template <class Value>
std::string hex_of_values(const std::vector<Value>& values) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  for (const Value& value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    for (int shift = 8 * static_cast<int>(sizeof value) - 4; shift >= 0; shift -= 4) {
      hex += kHex[bits >> shift & 0xfu];
    }
  }
  return hex;
}

inline namespace ATTEST_MACHINE {

template <class Element, class Machine>
std::string answer_product_words(Machine& machine, std::istringstream& words) {
  using Shape = ProductShape;
  std::string a, b, c;
  words >> a >> b >> c;
  return hex_of_values(
      products_of<Element>(machine, values_of_hex<Element>(a, Shape::kRows * Shape::kDepth),
                           values_of_hex<Element>(b, Shape::kDepth * Shape::kColumns),
                           values_of_hex<float>(c, Shape::kRows * Shape::kColumns)));
}

// Throws Error (usage) when the line is not such a line.
template <class Machine>
std::string answer_product_line(Machine& machine, const std::string& line) {
  std::istringstream words(line);
  std::string element;
  words >> element;
  if (element == "f16") return answer_product_words<Fp16>(machine, words);
  if (element == "bf16") return answer_product_words<Bf16>(machine, words);
  throw Error(Blame::usage, "a line begins with f16 or bf16, not '" + element + "'");
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
