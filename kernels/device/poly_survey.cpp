#include "kernels/device/poly_survey.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <thread>

#include "core/contract.hpp"

namespace attest {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

// A type for each function, so that the loop over arguments asks which one only once.
template <SweptFunction kFunction>
PolySurvey survey_part(std::uint32_t first, const float* y, std::size_t count) {
  PolySurvey part;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t pattern = first + static_cast<std::uint32_t>(i);
    part.add(pattern, y[i], value_of(kFunction, std::bit_cast<float>(pattern)));
  }
  return part;
}

}  // namespace

void PolySurvey::add(std::uint32_t pattern, float on_machine, float on_host) {
  ++compared;
  if (bits(on_machine) == bits(on_host)) return;
  if (std::isnan(on_machine) && std::isnan(on_host)) return;
  if (different++ != 0) return;
  first_different = pattern;
  there = on_machine;
  here = on_host;
}

void PolySurvey::add(const PolySurvey& other) {
  if (different == 0) {
    first_different = other.first_different;
    there = other.there;
    here = other.here;
  }
  compared += other.compared;
  different += other.different;
}

PolySurvey survey_poly(SweptFunction function, std::uint32_t first, const std::vector<float>& y,
                       int threads) {
  ATTEST_EXPECTS(function == SweptFunction::exp2_poly || function == SweptFunction::log_poly);
  const auto survey = function == SweptFunction::exp2_poly ? survey_part<SweptFunction::exp2_poly>
                                                           : survey_part<SweptFunction::log_poly>;
  std::vector<PolySurvey> parts(static_cast<std::size_t>(threads));
  {
    std::vector<std::jthread> workers;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::size_t begin = y.size() * part / parts.size();
      const std::size_t end = y.size() * (part + 1) / parts.size();
      workers.emplace_back([&, part, begin, end] {
        parts[part] =
            survey(first + static_cast<std::uint32_t>(begin), y.data() + begin, end - begin);
      });
    }
  }
  PolySurvey whole;
  for (const PolySurvey& part : parts) whole.add(part);
  return whole;
}

std::string to_text(const PolySurvey& survey) {
  char line[128];
  std::snprintf(line, sizeof line, "  compared %lld, different %lld\n",
                static_cast<long long>(survey.compared), static_cast<long long>(survey.different));
  std::string text = line;
  if (survey.different != 0) {
    std::snprintf(line, sizeof line, "  first at %08x: %08x there, %08x here\n",
                  survey.first_different, bits(survey.there), bits(survey.here));
    text += line;
  }
  return text;
}

}  // namespace attest
