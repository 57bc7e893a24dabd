// backward_instances.hpp - the tiled backward, compiled for the emulator, each way to sum dQ in a
// file of its own.
#pragma once

#include "core/subject.hpp"
#include "kernels/attention/backward_config.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

// run_backward. Requires: !beyond_backward_kernels(problem).
template <DqBy kDq>
void run_backward_instance(Emulator& machine, const Problem& problem, const BackwardInputs& inputs,
                           const BackwardOutputs& outputs, const WeightRule& weights);

}  // namespace attest
