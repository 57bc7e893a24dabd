#include "kernels/attention/tiled_backward.hpp"

#include <algorithm>
#include <utility>

#include "kernels/attention/backward_forms.hpp"
#include "kernels/attention/backward_instances.hpp"
#include "kernels/attention/backward_limits.hpp"
#include "kernels/attention/backward_plan.hpp"

namespace attest {
namespace {

void declare(Numerics& n, DqBy dq, const Problem& problem) {
  const int head_dim = padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)));
  const BackwardPlan plan = backward_plan(head_dim);
  n.d_source = DSource::stored_o;
  n.p_in_ds = PInDs::f32;
  n.ds_format = problem.in;
  n.dq_sum = dq == DqBy::second_pass ? DqSum{DqSum::Kind::one_chain, plan.passing}
                                     : DqSum{DqSum::Kind::atomic, plan.own};
  n.tile_q = plan.passing;
  n.group_sum = GroupSum{};
}

}  // namespace

void add_backward(EmulatedForm& form, std::string_view name) {
  const auto backward = backward_form_named(name);
  if (!backward) return;
  form.run_backward = [backward = *backward](Emulator& machine, const Problem& problem,
                                             const BackwardInputs& inputs,
                                             const BackwardOutputs& outputs) {
    const auto run = backward.dq == DqBy::second_pass ? run_backward_instance<DqBy::second_pass>
                                                      : run_backward_instance<DqBy::atomic_sums>;
    run(machine, problem, inputs, outputs, backward.weights);
  };
  form.declines = [forward = std::move(form.declines)](const Problem& problem) {
    return problem.pass == Pass::bwd ? beyond_backward_kernels(problem) : forward(problem);
  };
  form.numerics = [forward = std::move(form.numerics), dq = backward->dq](const Problem& p) {
    Numerics n = forward(p);
    declare(n, dq, p);
    return n;
  };
}

}  // namespace attest
