// tiled_instances.hpp - the rows of tiled_forms.hpp, compiled for the emulator, each in its own
// file.
#pragma once

#include <iterator>

#include "core/subject.hpp"
#include "kernels/attention/tiled_forms.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

inline constexpr int kTiledFormCount = static_cast<int>(std::size(kTiledForms));
inline constexpr int kMachineFaultCount = static_cast<int>(std::size(kMachineFaults));

// run_tiled of row kForm of kTiledForms. Requires: !beyond_forward_kernels(problem).
template <int kForm>
void run_tiled_form(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                    const ForwardOutputs& outputs);

// The same of kMachineFaults. Requires: no head dimension is above kMachineFaultHeadDim.
inline constexpr int kMachineFaultHeadDim = 64;
template <int kForm>
void run_machine_fault(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                       const ForwardOutputs& outputs);

}  // namespace attest
