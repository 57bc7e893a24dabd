// materialising_instances.hpp - the rows of materialising_forms.hpp, compiled for the emulator,
// each in its own file.
#pragma once

#include <iterator>

#include "core/subject.hpp"
#include "kernels/attention/materialising_forms.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

inline constexpr int kMaterialisingFormCount = static_cast<int>(std::size(kMaterialisingForms));

// run_materialising of row kForm of kMaterialisingForms, with its requirements.
template <int kForm>
void run_materialising_form(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                            const ForwardOutputs& outputs);

}  // namespace attest
