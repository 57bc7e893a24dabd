// split_run.hpp - host code of attention with split keys: partial outputs, then the merge.
#pragma once

#include "kernels/attention/decode_forward.hpp"
#include "kernels/attention/forward_tensors.hpp"
#include "kernels/attention/split_combine.hpp"
#include "kernels/attention/split_forms.hpp"
#include "kernels/attention/split_plan.hpp"
#include "kernels/attention/tiled_forward.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

inline constexpr TiledConfig kSplitTiles{.split = true};

// Room for what `plan` leaves of the problem's rows.
template <class Element, class Machine>
SplitPartials<Element> name_partials(Machine& machine, const Problem& problem,
                                     const SplitPlan& plan, bool wide) {
  SplitPartials<Element> partials;
  partials.rows = problem.batch * problem.heads_q * problem.n_q;
  partials.d_v = static_cast<int>(problem.d_v);
  partials.part_k = static_cast<int>(plan.part_k);
  partials.parts = static_cast<int>(plan.parts);
  partials.wide = wide;
  const Index rows = plan.parts * partials.rows;
  partials.lse = machine.template scratch<float>("partial lse", rows);
  if (wide) {
    partials.o_wide = machine.template scratch<float>("partial o", rows * problem.d_v);
  } else {
    partials.o = machine.template scratch<Element>("partial o", rows * problem.d_v);
  }
  return partials;
}

// The partial outputs of a form, by the kernel for the problem's head dimension.
template <class Element, class Machine>
class SplitRun {
 public:
  SplitRun(Machine& machine, const Problem& problem, const ForwardArguments<Element>& arg,
           const SplitPartials<Element>& partials)
      : machine_(machine), problem_(problem), arg_(arg), partials_(partials) {}

  void launch_tiles() {
    switch (head_dim()) {
      case 64: return launch<TiledForward<Element, 64, kSplitTiles>>();
      case 128: return launch<TiledForward<Element, 128, kSplitTiles>>();
      default: return launch<TiledForward<Element, 256, kSplitTiles>>();
    }
  }
  void launch_decode() {
    switch (head_dim()) {
      case 64: return launch<DecodeForward<Element, 64>>();
      case 128: return launch<DecodeForward<Element, 128>>();
      default: return launch<DecodeForward<Element, 256>>();
    }
  }
  void launch_combine(Combine combine) {
    using Kernel = SplitCombine<Element>;
    machine_.launch(Kernel{arg_, partials_, combine}, Kernel::grid(arg_, batch()));
  }

 private:
  [[nodiscard]] int batch() const { return static_cast<int>(problem_.batch); }
  [[nodiscard]] int head_dim() const {
    return padded_head_dim(static_cast<int>(std::max(problem_.d_qk, problem_.d_v)));
  }
  template <class Kernel>
  void launch() {
    Kernel kernel;
    kernel.arg = arg_;
    kernel.parts.partials = partials_;
    Grid grid = Kernel::grid(arg_, batch());
    grid.x *= partials_.parts / Kernel::kPartsOfBlock;
    machine_.launch(kernel, grid);
  }

  Machine& machine_;
  const Problem& problem_;
  ForwardArguments<Element> arg_;
  SplitPartials<Element> partials_;
};

template <class Element, class Machine>
void run_split_with(Machine& machine, const SplitConfig& config, const Problem& problem,
                    const ForwardInputs& inputs, const ForwardOutputs& outputs) {
  ForwardTensors<Element, Machine> tensors(machine, problem, inputs, outputs);
  const auto partials =
      name_partials<Element>(machine, problem, plan_of(config, problem), !config.narrow);
  SplitRun<Element, Machine> run(machine, problem, tensors.arguments(), partials);
  run.launch_tiles();
  run.launch_combine(config.combine);
  tensors.finish();
}

template <class Element, class Machine>
void run_decode_with(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                     const ForwardOutputs& outputs) {
  ForwardTensors<Element, Machine> tensors(machine, problem, inputs, outputs);
  const auto partials = name_partials<Element>(machine, problem, decode_plan(problem), true);
  SplitRun<Element, Machine> run(machine, problem, tensors.arguments(), partials);
  run.launch_decode();
  run.launch_combine(kDecodeForm.config.combine);
  tensors.finish();
}

// Computes O and LSE. Requires: !beyond_split(config, problem).
template <class Machine>
void run_split(Machine& machine, const SplitConfig& config, const Problem& problem,
               const ForwardInputs& inputs, const ForwardOutputs& outputs) {
  if (problem.in == Format::f16) {
    run_split_with<Fp16>(machine, config, problem, inputs, outputs);
  } else {
    run_split_with<Bf16>(machine, config, problem, inputs, outputs);
  }
}

// The same of decode. Requires: !beyond_decode(problem).
template <class Machine>
void run_decode(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                const ForwardOutputs& outputs) {
  if (problem.in == Format::f16) {
    run_decode_with<Fp16>(machine, problem, inputs, outputs);
  } else {
    run_decode_with<Bf16>(machine, problem, inputs, outputs);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
