// split_forms.cu - all forms of split keys: they run the same kernels, which one source holds once.
#include "kernels/device/cuda_form.cuh"
#include "kernels/device/run_form.hpp"

namespace attest {

template <int kForm>
void run_form_on_cuda(CudaMachine& machine, const Problem& problem, const ForwardInputs& inputs,
                      const ForwardOutputs& outputs) {
  run_form<kForm>(machine, problem, inputs, outputs);
}

static_assert(kDecode == kFirstSplit + 3, "name the new form below, too");
template void run_form_on_cuda<kFirstSplit>(CudaMachine&, const Problem&, const ForwardInputs&,
                                            const ForwardOutputs&);
template void run_form_on_cuda<kFirstSplit + 1>(CudaMachine&, const Problem&, const ForwardInputs&,
                                                const ForwardOutputs&);
template void run_form_on_cuda<kFirstSplit + 2>(CudaMachine&, const Problem&, const ForwardInputs&,
                                                const ForwardOutputs&);
template void run_form_on_cuda<kDecode>(CudaMachine&, const Problem&, const ForwardInputs&,
                                        const ForwardOutputs&);

}  // namespace attest
