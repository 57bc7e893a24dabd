#include <algorithm>
#include <cstdio>
#include <string>

#include "core/case.hpp"
#include "kernels/device/cuda_forms.cuh"
#include "kernels/device/device_commands.cuh"

namespace attest {
namespace {

constexpr Index kHeads = 64, kRows = 1024;
constexpr int kRepeats = 5;

Problem problem_for(Format format, Index head_dim) {
  Problem problem;
  problem.heads_q = problem.heads_k = kHeads;
  problem.n_q = problem.n_k = kRows;
  problem.d_qk = problem.d_v = head_dim;
  problem.in = problem.out = format;
  problem.scale = default_scale(head_dim);
  return problem;
}

// The shortest of some runs, by the device's own clock; launches only. All values are zero, on
// which no branch of a kernel depends.
double nanoseconds_per_head(RunForm<CudaMachine> run_form, const Problem& problem) {
  const Inputs inputs = zero_inputs(problem);
  Tensor o(problem.out, problem.o_extents()), lse(Format::f32, problem.lse_extents());
  double least = 0;
  for (int run = 0; run < kRepeats; ++run) {
    CudaMachine machine(CudaMachine::Clock::on);
    run_form(machine, problem, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
             {o.view(), lse.view()});
    const double now = machine.launch_milliseconds() * 1e6 / kHeads;
    least = run == 0 ? now : std::min(least, now);
  }
  return least;
}

}  // namespace

int time_forms() {
  std::printf("nanoseconds per head, n = %d, %d heads\n", static_cast<int>(kRows),
              static_cast<int>(kHeads));
  for (int form = 0; form < kDeviceFormCount; ++form) {
    const std::string name(name_of_form(form));
    for (const Format format : {Format::f16, Format::bf16}) {
      for (const Index head_dim : {64, 128, 256}) {
        if (declined_by_form(form, problem_for(format, head_dim))) continue;
        const double time = nanoseconds_per_head(kCudaForms.forward[static_cast<std::size_t>(form)],
                                                 problem_for(format, head_dim));
        const std::string element(shape_of(format).name);
        std::printf("  %-36s %-4s  d=%-3d %10.0f\n", name.c_str(), element.c_str(),
                    static_cast<int>(head_dim), time);
      }
    }
  }
  return 0;
}

}  // namespace attest
