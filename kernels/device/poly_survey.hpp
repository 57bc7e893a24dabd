// poly_survey.hpp - whether a machine computes exp2_poly and log_poly to the host's bits.
//
// Kernels with these functions must agree with their emulation bit for bit. That their errors are
// small is proved on the host, over all arguments (tests/kernels/machine); a GPU inherits the proof
// with the bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/device/function_values.hpp"

namespace attest {

struct PolySurvey {
  std::int64_t compared = 0;
  std::int64_t different = 0;
  std::uint32_t first_different = 0;  // bits of one such argument
  float there = 0, here = 0;          // its values

  // Which NaN it is carries no meaning; a zero's sign does.
  void add(std::uint32_t pattern, float on_machine, float on_host);
  void add(const PolySurvey& other);
};

// y[i] belongs to pattern first + i. Spread over `threads` threads; their number changes nothing.
// Requires: function is exp2_poly or log_poly.
[[nodiscard]] PolySurvey survey_poly(SweptFunction function, std::uint32_t first,
                                     const std::vector<float>& y, int threads);

// A line for a person, and where something differs another one with the first such argument.
[[nodiscard]] std::string to_text(const PolySurvey& survey);

}  // namespace attest
