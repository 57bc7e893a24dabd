#include <algorithm>
#include <cstdio>
#include <thread>

#include "kernels/device/device_commands.cuh"
#include "kernels/device/exp2_survey.hpp"
#include "kernels/device/exp2_values.hpp"
#include "kernels/machine/cuda_machine.cuh"

namespace attest {
namespace {

constexpr std::int64_t kPatterns = std::int64_t{1} << 32;
constexpr std::int64_t kAtOnce = std::int64_t{1} << 26;

Exp2Survey survey_all(bool flushed) {
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Exp2Survey whole;
  for (std::int64_t first = 0; first < kPatterns; first += kAtOnce) {
    const auto pattern = static_cast<std::uint32_t>(first);
    CudaMachine machine;
    whole.add(
        survey_exp2(pattern, exp2_values(machine, pattern, kAtOnce, flushed), flushed, threads));
  }
  return whole;
}

}  // namespace

int sweep_ex2() {
  bool sound = true;
  for (const bool flushed : {false, true}) {
    const Exp2Survey survey = survey_all(flushed);
    std::printf("%s over 2^32 arguments\n%s", flushed ? "ex2.approx.ftz.f32" : "ex2.approx.f32",
                to_text(survey).c_str());
    sound = sound && survey.beyond == 0;
  }
  return sound ? 0 : 1;
}

}  // namespace attest
