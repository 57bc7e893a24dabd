#include "tests/judge/judged_gradients.hpp"

#include <cmath>
#include <optional>
#include <sstream>

#include "judge/forward_budget.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/laws/replayed_gradients.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {
namespace {

double middle(const Enclosure& e) { return e.lo / 2 + e.hi / 2; }

// A binary32 number near center + offset, on the near side of it.
double binary32_off(double center, double offset) {
  auto x = static_cast<float>(center + offset);
  const auto toward = static_cast<float>(center);
  if (std::fabs(x - center) > std::fabs(offset)) x = std::nextafter(x, toward);
  return x;
}

std::optional<StoredForward> stored_for(View view, const ForwardResult& forward,
                                        const Numerics& declared) {
  if (view == View::end_to_end) return std::nullopt;
  return StoredForward{forward.o.view(), forward.lse.view(), declared.d_source == DSource::p_dp};
}

Semantics zero_where_dead() {
  Semantics semantics;
  semantics.beyond_lengths = BeyondLengths::zero;
  return semantics;
}

}  // namespace

Numerics exact_backward(std::string_view changes) {
  const Numerics exact = changed(sharpest(),
                                 "p_format=f32;d_source=stored_o;p_in_ds=f32;ds_format=f32;"
                                 "dq_sum=one_chain:16;tile_q=16;group_sum=one_chain");
  return changes.empty() ? exact : changed(exact, changes);
}

ForwardResult forward_of(const Problem& p, const Inputs& inputs, const Answer& answer,
                         const Numerics& numerics, const ForwardOff& off) {
  ForwardResult forward{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.o_extents()),
                        Tensor(Format::f32, p.lse_extents())};
  const Resolved arithmetic = resolve(numerics, p);
  for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
    const std::size_t row = row_index(p, b, h, i);
    const auto element = row * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
    if (answer.lse_class[row] != OutputClass::finite) {
      set(forward.lse, b, h, i, 0, -std::numeric_limits<double>::infinity());
      return;
    }
    const RowBudget budget = prepare_row(p, arithmetic, answer.rows[row]);
    const auto share = [](const Budget& whole, double part) {
      return whole.unbounded == Unbounded::no ? part * whole.total : 0;
    };
    if (k == 0) {
      const double lse = middle(answer.lse[row]);
      const double offset = share(budget_of_lse(budget, answer.lse[row]), off.lse);
      set(forward.lse, b, h, i, 0, binary32_off(lse, offset) + off.lse_shift);
    }
    // Before O's own rounding: what the budget leaves without that term.
    Budget o = budget_of_o(budget, answer.elements[element], answer.o[element]);
    for (const BudgetTerm& term : o.terms) {
      if (term.name == "output rounding") o.total -= term.value;
    }
    const double sign = off.aligned ? inputs.dout.view().value(b, h, i, k) : (i + k) % 2 ? 1 : -1;
    const double offset = std::copysign(share(o, off.o), sign);
    const double f32_o = binary32_off(middle(answer.o[element]), offset);
    set(forward.f32_o, b, h, i, k, f32_o);
    set(forward.o, b, h, i, k, forward.f32_o.view().value(b, h, i, k));
  });
  return forward;
}

Judgement judge_as(const BackwardRun& run, const Answer& answer, const ForwardResult& forward,
                   const ScalarGradients& g, View view, const Numerics& declared) {
  const BackwardAnswer exact =
      enclose_backward(run.p, run.inputs, stored_for(view, forward, declared));
  return judge_backward(run.p, run.inputs, answer, exact, view, declared, zero_where_dead(),
                        {g.dq.view(), g.dk.view(), g.dv.view()}, Rows::live);
}

JudgedGradients judge_scalar(const BackwardRun& run) {
  JudgedGradients judged;
  const Answer answer = enclose_forward(run.p, run.inputs);
  judged.forward = forward_of(run.p, run.inputs, answer, run.how, run.off);
  judged.gradients = scalar_backward(run.p, run.inputs, judged.forward, run.how, run.exp2_error);
  const auto judge_view = [&](View view) {
    return judge_as(run, answer, judged.forward, judged.gradients, view, run.how);
  };
  if (run.off.lse_shift == 0) judged.end_to_end = judge_view(View::end_to_end);
  judged.stage_wise = judge_view(View::stage_wise);
  const ScalarGradients& g = judged.gradients;
  replay_gradients(
      run.p, run.inputs, run.how,
      {judged.forward.o.view(), judged.forward.lse.view(), {g.dq.view(), g.dk.view(), g.dv.view()}},
      judged.replay);
  return judged;
}

std::string describe(const BackwardRun& run, const Judgement& j) {
  std::ostringstream text;
  text << to_string(Case{run.p, run.inputs}) << "\n  " << to_string(run.how);
  if (const ElementJudgement* worst = j.worst()) {
    text << "\n  " << name_of(worst->tensor) << " head " << worst->h << " row " << worst->i
         << " column " << worst->k << ": observed " << worst->observed << ", exact "
         << worst->exact.lo << ", budget " << worst->budget.total << ", ratio " << worst->ratio
         << ", " << worst->reason;
    for (const BudgetTerm& term : worst->budget.terms) {
      text << "\n    " << term.name << ' ' << term.value;
    }
  }
  return text.str();
}

}  // namespace attest
