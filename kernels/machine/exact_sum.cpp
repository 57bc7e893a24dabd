#include "kernels/machine/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/contract.hpp"

namespace attest {
namespace {

using Words = std::array<std::uint64_t, 9>;

constexpr int kUnit = -300;  // the exponent of bit 0
constexpr int kBits = 64 * 9;

bool bit_of(const Words& words, int place) {
  return (words[static_cast<std::size_t>(place / 64)] >> (place % 64) & 1) != 0;
}

// Adds or subtracts `term` from word `first` on. In two's complement, subtracting is adding all
// bits inverted and one more.
void add_words(Words& words, std::size_t first, std::array<std::uint64_t, 2> term, bool subtract) {
  const std::uint64_t invert = subtract ? ~std::uint64_t{0} : 0;
  bool carry = subtract;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::uint64_t addend = (i - first < term.size() ? term[i - first] : 0) ^ invert;
    const std::uint64_t with_addend = words[i] + addend;
    const std::uint64_t with_carry = with_addend + (carry ? 1 : 0);
    carry = with_addend < addend || with_carry < with_addend;
    words[i] = with_carry;
  }
}

Words magnitude_of(const Words& words) {
  if (!bit_of(words, kBits - 1)) return words;
  Words magnitude{};
  for (std::size_t i = 0; i < words.size(); ++i) magnitude[i] = ~words[i];
  add_words(magnitude, 0, {1, 0}, false);
  return magnitude;
}

// -1 where there is none.
int highest_bit(const Words& words) {
  for (int i = static_cast<int>(words.size()) - 1; i >= 0; --i) {
    const std::uint64_t word = words[static_cast<std::size_t>(i)];
    if (word != 0) return 64 * i + 63 - std::countl_zero(word);
  }
  return -1;
}

bool any_below(const Words& words, int place) {
  const auto whole = static_cast<std::size_t>(place / 64);
  for (std::size_t i = 0; i < whole; ++i) {
    if (words[i] != 0) return true;
  }
  return (words[whole] & ((std::uint64_t{1} << (place % 64)) - 1)) != 0;
}

}  // namespace

void ExactSum::add(double x) {
  if (x == 0) return;
  ATTEST_EXPECTS(std::fabs(x) < 0x1p260);
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  const int zeros = std::countr_zero(significand);
  significand >>= zeros;
  const int place = exponent - 53 + zeros - kUnit;
  ATTEST_EXPECTS(place >= 0);

  const int shift = place % 64;
  add_words(words_, static_cast<std::size_t>(place / 64),
            {significand << shift, shift == 0 ? 0 : significand >> (64 - shift)}, x < 0);
}

float ExactSum::round_to_binary32() const {
  const Words magnitude = magnitude_of(words_);
  const int highest = highest_bit(magnitude);
  if (highest < 0) return 0.0f;

  const int last = std::max(highest - 23, -149 - kUnit);  // the last place that binary32 keeps
  std::uint32_t kept = 0;
  for (int place = highest; place >= last; --place) kept = kept << 1 | bit_of(magnitude, place);
  const bool half = bit_of(magnitude, last - 1);
  if (half && (any_below(magnitude, last - 1) || (kept & 1) != 0)) ++kept;
  const float rounded = std::ldexp(static_cast<float>(kept), last + kUnit);
  return bit_of(words_, kBits - 1) ? -rounded : rounded;
}

}  // namespace attest
