// Decode for the emulator.
#include "kernels/attention/split_instances.hpp"
#include "kernels/attention/split_run.hpp"

namespace attest {

void run_decode_emulated(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                         const ForwardOutputs& outputs) {
  run_decode(machine, problem, inputs, outputs);
}

}  // namespace attest
