// tiled_instances.hpp - the rows of tiled_forms.hpp, compiled for the emulator, each in its own
// file.
#pragma once

#include <iterator>

#include "core/subject.hpp"
#include "kernels/attention/tiled_forms.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

inline constexpr int kTiledFormCount = static_cast<int>(std::size(kTiledForms));
inline constexpr int kTiledCanaryCount = static_cast<int>(std::size(kTiledCanaries));
inline constexpr int kMachineFaultCount = static_cast<int>(std::size(kMachineFaults));

// run_tiled of row kForm of kTiledForms. Requires: !beyond_forward_kernels(problem).
template <int kForm>
void run_tiled_form(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                    const ForwardOutputs& outputs);

// Forms that are wrong on purpose come for head dimensions up to this.
inline constexpr int kFaultyHeadDim = 64;

// The same of kTiledCanaries, and of kMachineFaults. Requires: no head dimension above
// kFaultyHeadDim.
template <int kForm>
void run_tiled_canary(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                      const ForwardOutputs& outputs);
template <int kForm>
void run_machine_fault(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                       const ForwardOutputs& outputs);

}  // namespace attest
