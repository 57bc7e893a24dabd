// exp2_survey.hpp - how far a machine's 2^x is from 2^x, argument by argument.
//
// 2^x is evaluated in binary64, whose own error (below 2^-51) disappears beside an ulp of binary32.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace attest {

// What forms that use the machine's exp2 declare of it (docs/error-analysis.md, Lemma 9):
// |y - 2^x| <= kDeclaredRelative 2^x + eta, eta 2^-150, or 2^-126 where it flushes.
inline constexpr double kDeclaredRelative = 5 * 0x1p-24;

struct Exp2Survey {
  static constexpr int kBinsOfUlp = 4;  // a bin is a quarter of a unit in the last place
  static constexpr int kBins = 17;      // the last one: four ulp and more

  std::array<std::int64_t, kBins> histogram{};  // of arguments with a normal result
  std::int64_t subnormal = 0;                   // results below 2^-126
  std::int64_t special = 0;                     // NaN, infinite or overflowing arguments
  std::int64_t beyond = 0;                      // outside the declaration, or a wrong special value
  std::uint32_t first_beyond = 0;               // bits of one of them
  double worst_relative = 0;                    // of normal results
  std::uint32_t worst_at = 0;

  // Counts y as the machine's 2^x, x of that bit pattern.
  void add(std::uint32_t pattern, float y, bool flushed);
  void add(const Exp2Survey& other);
};

// y[i] belongs to pattern first + i. Spread over `threads` threads; their number changes nothing.
[[nodiscard]] Exp2Survey survey_exp2(std::uint32_t first, const std::vector<float>& y, bool flushed,
                                     int threads);

// Several lines for a person.
[[nodiscard]] std::string to_text(const Exp2Survey& survey);

}  // namespace attest
