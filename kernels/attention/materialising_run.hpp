// materialising_run.hpp - host code of materialising attention: S and P, and one launch after the
// other.
#pragma once

#include <type_traits>

#include "kernels/attention/forward_tensors.hpp"
#include "kernels/attention/materialising_config.hpp"
#include "kernels/attention/materialising_outputs.hpp"
#include "kernels/attention/materialising_scores.hpp"
#include "kernels/attention/materialising_weights.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// Rows that a block of the softmax takes: several, or a single one so that it may be long.
constexpr int kShortRows = 4;
constexpr int kLongRows = 1;
constexpr int kMostMaterialisedKeys = MaterialisingWeights<Fp16, float, kLongRows>::kMostKeys;

template <class Element, class Stored, class Machine>
class MaterialisingRun {
 public:
  MaterialisingRun(Machine& machine, const Problem& problem,
                   const MaterialisingArguments<Element, Stored>& arg)
      : machine_(machine), problem_(problem), arg_(arg) {}

  void launch_scores() {
    with_head_dim(problem_.d_qk, [this](auto head_dim) {
      launch<MaterialisingScores<Element, Stored, decltype(head_dim)::value>>();
    });
  }
  void launch_weights() {
    using Short = MaterialisingWeights<Element, Stored, kShortRows>;
    using Long = MaterialisingWeights<Element, Stored, kLongRows>;
    return problem_.n_k <= Short::kMostKeys ? launch<Short>() : launch<Long>();
  }
  void launch_outputs() {
    with_head_dim(problem_.d_v, [this](auto head_dim) {
      launch<MaterialisingOutputs<Element, Stored, decltype(head_dim)::value>>();
    });
  }

 private:
  template <int kHeadDim>
  using HeadDim = std::integral_constant<int, kHeadDim>;

  template <class Launch>
  static void with_head_dim(Index d, Launch launch_with) {
    switch (padded_head_dim(static_cast<int>(d))) {
      case 64: return launch_with(HeadDim<64>{});
      case 128: return launch_with(HeadDim<128>{});
      default: return launch_with(HeadDim<256>{});
    }
  }
  template <class Kernel>
  void launch() {
    machine_.launch(Kernel{arg_}, Kernel::grid(arg_.forward, static_cast<int>(problem_.batch)));
  }

  Machine& machine_;
  const Problem& problem_;
  MaterialisingArguments<Element, Stored> arg_;
};

template <class Element, MaterialisingConfig kConfig, class Machine>
void run_materialising_with(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                            const ForwardOutputs& outputs) {
  using Stored = std::conditional_t<kConfig.narrow_scores, Element, float>;
  ForwardTensors<Element, Machine> tensors(machine, problem, inputs, outputs);
  const Index pairs = problem.batch * problem.heads_q * problem.n_q * problem.n_k;
  const MaterialisingArguments<Element, Stored> arg{tensors.arguments(),
                                                    machine.template scratch<Stored>("s", pairs),
                                                    machine.template scratch<Element>("p", pairs)};
  MaterialisingRun<Element, Stored, Machine> run(machine, problem, arg);
  run.launch_scores();
  run.launch_weights();
  run.launch_outputs();
  tensors.finish();
}

// Computes O and LSE. Requires: !beyond_forward_kernels(problem), and n_k <= kMostMaterialisedKeys.
template <MaterialisingConfig kConfig, class Machine>
void run_materialising(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                       const ForwardOutputs& outputs) {
  if (problem.in == Format::f16) {
    run_materialising_with<Fp16, kConfig>(machine, problem, inputs, outputs);
  } else {
    run_materialising_with<Bf16, kConfig>(machine, problem, inputs, outputs);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
