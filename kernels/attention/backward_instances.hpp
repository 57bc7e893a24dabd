// backward_instances.hpp - the rows of backward_forms.hpp, compiled for the emulator, each in its
// own file.
#pragma once

#include "core/subject.hpp"
#include "kernels/attention/backward_forms.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

// run_backward of row kForm of kBackwardForms. Requires: !beyond_backward_kernels(problem).
template <int kForm>
void run_backward_form(Emulator& machine, const Problem& problem, const BackwardInputs& inputs,
                       const BackwardOutputs& outputs);

}  // namespace attest
