// Split keys over tiles of queries, for the emulator.
#include "kernels/attention/split_instances.hpp"
#include "kernels/attention/split_run.hpp"

namespace attest {

void run_split_emulated(Emulator& machine, const SplitConfig& config, const Problem& problem,
                        const ForwardInputs& inputs, const ForwardOutputs& outputs) {
  run_split(machine, config, problem, inputs, outputs);
}

}  // namespace attest
