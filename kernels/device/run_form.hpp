// run_form.hpp - a form's host code, by number. Including this compiles kernels.
#pragma once

#include "kernels/attention/materialising_run.hpp"
#include "kernels/attention/split_run.hpp"
#include "kernels/attention/tiled_run.hpp"
#include "kernels/device/forms.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// Requires: !declined_by_form(kForm, problem).
template <int kForm, class Machine>
void run_form(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
              const ForwardOutputs& outputs) {
  if constexpr (kForm < kFirstMaterialising) {
    run_tiled<kTiledForms[kForm].config>(machine, problem, inputs, outputs);
  } else if constexpr (kForm < kFirstSplit) {
    constexpr int kRow = kForm - kFirstMaterialising;
    run_materialising<kMaterialisingForms[kRow].config>(machine, problem, inputs, outputs);
  } else if constexpr (kForm < kDecode) {
    run_split(machine, kSplitForms[kForm - kFirstSplit].config, problem, inputs, outputs);
  } else {
    run_decode(machine, problem, inputs, outputs);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
