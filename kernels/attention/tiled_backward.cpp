#include "kernels/attention/tiled_backward.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/attention/backward_instances.hpp"
#include "kernels/attention/backward_limits.hpp"
#include "kernels/attention/backward_plan.hpp"

namespace attest {
namespace {

using RunBackward = void (*)(Emulator&, const Problem&, const BackwardInputs&,
                             const BackwardOutputs&);

template <int... kForms>
constexpr std::array<RunBackward, sizeof...(kForms)> runs_of(
    std::integer_sequence<int, kForms...>) {
  return {run_backward_form<kForms>...};
}
constexpr auto kRuns = runs_of(std::make_integer_sequence<int, kBackwardFormCount>());

void declare(Numerics& n, const BackwardConfig& config, const Problem& problem) {
  const int head_dim = padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)));
  const BackwardPlan plan = backward_plan(head_dim);
  n.d_source = DSource::stored_o;
  n.p_in_ds = PInDs::f32;
  n.ds_format = problem.in;
  n.dq_sum = config.dq == DqBy::second_pass ? DqSum{DqSum::Kind::one_chain, plan.passing}
                                            : DqSum{DqSum::Kind::atomic, plan.own};
  n.tile_q = plan.passing;
  n.group_sum = GroupSum{};
}

}  // namespace

void add_backward(EmulatedForm& form, std::string_view name) {
  const auto row = std::ranges::find(kBackwardForms, name, &BackwardForm::name);
  if (row == std::end(kBackwardForms)) return;
  form.run_backward = kRuns[static_cast<std::size_t>(row - std::begin(kBackwardForms))];
  form.declines = [forward = std::move(form.declines)](const Problem& problem) {
    return problem.pass == Pass::bwd ? beyond_backward_kernels(problem) : forward(problem);
  };
  form.numerics = [forward = std::move(form.numerics), &config = row->config](const Problem& p) {
    Numerics n = forward(p);
    declare(n, config, p);
    return n;
  };
}

}  // namespace attest
