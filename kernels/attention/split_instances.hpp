// split_instances.hpp - kernels of split keys, compiled for the emulator: one file for all forms of
// split, one for decode.
#pragma once

#include "core/subject.hpp"
#include "kernels/attention/split_forms.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

// run_split and run_decode (split_run.hpp), with their requirements.
void run_split_emulated(Emulator& machine, const SplitConfig& config, const Problem& problem,
                        const ForwardInputs& inputs, const ForwardOutputs& outputs);
void run_decode_emulated(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                         const ForwardOutputs& outputs);

}  // namespace attest
