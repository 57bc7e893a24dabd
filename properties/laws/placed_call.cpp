#include "properties/laws/placed_call.hpp"

#include <exception>
#include <string>
#include <utility>

namespace attest {

std::string_view name_of(Place place) {
  constexpr std::string_view names[kPlaces] = {"q",    "k",    "v",  "o",  "lse",
                                               "dout", "glse", "dq", "dk", "dv"};
  return names[place];
}

bool is_written(Place place, Pass pass) {
  return pass == Pass::fwd ? place == kO || place == kLse : place >= kDq;
}

std::array<Tensor, kPlaces> tensors_before(const LawContext& c) {
  Outputs fresh = poisoned_outputs(c.problem);
  const Outputs& forward = c.problem.pass == Pass::bwd ? c.outputs : fresh;
  return {c.inputs.q,          c.inputs.k,         c.inputs.v,    forward.o,
          forward.lse,         c.inputs.dout,      c.inputs.glse, std::move(fresh.dq),
          std::move(fresh.dk), std::move(fresh.dv)};
}

RunOutcome placed_call(const LawContext& c, const std::array<TensorView, kPlaces>& at) {
  try {
    if (c.problem.pass == Pass::fwd) {
      return c.subject.run(c.problem, {at[kQ], at[kK], at[kV]}, {at[kO], at[kLse]}, c.settings);
    }
    BackwardInputs inputs{at[kQ], at[kK], at[kV], at[kO], at[kLse], at[kDout]};
    if (c.problem.lse_gradient) inputs.glse = at[kGlse];
    return c.subject.run_backward(c.problem, inputs, {at[kDq], at[kDk], at[kDv]}, c.settings);
  } catch (const std::exception& thrown) {  // the subject's own fault
    return {RunOutcome::Kind::crashed, std::string("threw: ") + thrown.what()};
  }
}

Outputs outputs_of(std::array<Tensor, kPlaces> tensors) {
  return {std::move(tensors[kO]), std::move(tensors[kLse]), std::move(tensors[kDq]),
          std::move(tensors[kDk]), std::move(tensors[kDv])};
}

}  // namespace attest
