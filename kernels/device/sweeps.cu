#include <algorithm>
#include <cstdio>
#include <thread>

#include "kernels/device/device_commands.cuh"
#include "kernels/device/exp2_survey.hpp"
#include "kernels/device/function_values.hpp"
#include "kernels/device/poly_survey.hpp"
#include "kernels/machine/cuda_machine.cuh"

namespace attest {
namespace {

constexpr std::int64_t kPatterns = std::int64_t{1} << 32;
constexpr std::int64_t kAtOnce = std::int64_t{1} << 26;

// The sum of survey(first pattern, values there, threads) over all patterns.
template <class Survey, class SurveyRun>
Survey survey_all(SweptFunction function, const SurveyRun& survey) {
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Survey whole;
  for (std::int64_t first = 0; first < kPatterns; first += kAtOnce) {
    const auto pattern = static_cast<std::uint32_t>(first);
    CudaMachine machine;
    whole.add(survey(pattern, function_values(machine, function, pattern, kAtOnce), threads));
  }
  return whole;
}

}  // namespace

int sweep_ex2() {
  bool sound = true;
  for (const bool flushed : {false, true}) {
    const auto survey = survey_all<Exp2Survey>(
        flushed ? SweptFunction::exp2_approx_flushed : SweptFunction::exp2_approx,
        [&](std::uint32_t first, const std::vector<float>& y, int threads) {
          return survey_exp2(first, y, flushed, threads);
        });
    std::printf("%s over 2^32 arguments\n%s", flushed ? "ex2.approx.ftz.f32" : "ex2.approx.f32",
                to_text(survey).c_str());
    sound = sound && survey.beyond == 0;
  }
  return sound ? 0 : 1;
}

int sweep_poly() {
  bool alike = true;
  for (const SweptFunction function : {SweptFunction::exp2_poly, SweptFunction::log_poly}) {
    const auto survey = survey_all<PolySurvey>(
        function, [&](std::uint32_t first, const std::vector<float>& y, int threads) {
          return survey_poly(function, first, y, threads);
        });
    std::printf("%s over 2^32 arguments, against the host's bits\n%s",
                function == SweptFunction::exp2_poly ? "exp2_poly" : "log_poly",
                to_text(survey).c_str());
    alike = alike && survey.different == 0;
  }
  return alike ? 0 : 1;
}

}  // namespace attest
