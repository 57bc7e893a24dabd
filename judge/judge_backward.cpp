#include "judge/judge_backward.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "core/contract.hpp"
#include "judge/gradient_case.hpp"
#include "judge/gradient_terms.hpp"
#include "judge/group_sums.hpp"
#include "judge/least_moments.hpp"
#include "judge/row_error.hpp"
#include "judge/special.hpp"

namespace attest {
namespace {

bool is_declared(OutputClass c) { return c == OutputClass::dead || c == OutputClass::beyond; }

// Judges elements one by one, whatever made their budgets.
class ElementJudge {
 public:
  ElementJudge(const BackwardAnswer& exact, const Resolved& arithmetic, const Semantics& semantics,
               const Gradients& gradients, Rows rows)
      : exact_(exact),
        arithmetic_(arithmetic),
        semantics_(semantics),
        gradients_(gradients),
        rows_(rows) {}

  Judgement result;
  // Where somebody wants every element; it comes without its budget's terms.
  std::function<void(ElementJudgement&)> on_element;

  [[nodiscard]] bool is_due(OutputClass c) const {
    return is_declared(c) == (rows_ == Rows::declared);
  }

  // Calls budget(c, |exact|) for every column of a row that is judged by its number, and least(c,
  // |exact|) where what it accepts may not be certain.
  template <class BudgetOf, class LeastOf>
  void judge_row(OutputTensor tensor, Index b, Index h, Index row, BudgetOf budget, LeastOf least) {
    const ConstTensorView& view = view_of(tensor);
    const GradientAnswer& answer = answer_of(tensor);
    const Extents& extents = view.extents;
    const Index first = ((b * extents[1] + h) * extents[2] + row) * extents[3];
    for (Index c = 0; c < extents[3]; ++c) {
      const auto element = static_cast<std::size_t>(first + c);
      if (!is_due(answer.classes[element])) continue;
      ElementJudgement e;
      e.tensor = tensor;
      e.b = b;
      e.h = h;
      e.i = row;
      e.k = c;
      e.bits = view.bits(b, h, row, c);
      e.format = view.format;
      e.observed = widen_bits(view.format, e.bits);
      e.exact_class = answer.classes[element];
      e.exact = answer.values[element];
      if (is_declared(e.exact_class)) {
        const auto decided = judge_declared_gradient(e.observed, e.exact_class, semantics_);
        if (!decided) continue;
        apply_class(e, *decided);
      } else {
        if (e.exact_class == OutputClass::finite) e.budget = budget(c, max_abs(e.exact));
        judge(e);
        if (e.exact_class == OutputClass::finite && e.verdict == Verdict::accept) {
          keep_if_certain(e, least(c, max_abs(nearest(e.exact))));
        }
      }
      result.of(e.tensor).count(e, RowMoments{}, exact_.bits);
      if (on_element) on_element(e);
    }
  }

 private:
  void judge(ElementJudgement& e) const {
    judge_value(e, arithmetic_.o_format, arithmetic_.o_saturates, arithmetic_.o_overflows);
  }

  // As in the forward: what the least that a sharper answer could give accepts too is accepted, and
  // the rest waits for the sharper answer (error-analysis.md, Lemma 24).
  void keep_if_certain(ElementJudgement& e, const std::optional<Budget>& least) const {
    if (!least) return;
    if (e.budget.unbounded == Unbounded::no && least->unbounded == Unbounded::no) {
      ElementJudgement strict = e;
      strict.budget = *least;
      judge(strict);
      if (strict.verdict == Verdict::accept) return;
    }
    e.verdict = Verdict::undecided;
    e.reason = "the budget is not sharp enough yet";
  }

  [[nodiscard]] const ConstTensorView& view_of(OutputTensor tensor) const {
    if (tensor == OutputTensor::dq) return gradients_.dq;
    return tensor == OutputTensor::dk ? gradients_.dk : gradients_.dv;
  }
  [[nodiscard]] const GradientAnswer& answer_of(OutputTensor tensor) const {
    if (tensor == OutputTensor::dq) return exact_.dq;
    return tensor == OutputTensor::dk ? exact_.dk : exact_.dv;
  }

  const BackwardAnswer& exact_;
  const Resolved& arithmetic_;
  const Semantics& semantics_;
  const Gradients& gradients_;
  Rows rows_;
};

// Walks the pairs of one key head after the other: dQ is judged row by row on the way, dK and dV
// once all rows of the group have been met. `least`, where it is given, bounds budgets from below.
class Walk {
 public:
  Walk(const GradientCase& gradients, const GradientCase* least, ElementJudge& elements)
      : g_(gradients), p_(gradients.problem()), upper_(gradients), elements_(elements) {
    if (least != nullptr) least_.emplace(*least);
  }

  void run() {
    for (Index b = 0; b < p_.batch; ++b) {
      for (Index key_head = 0; key_head < p_.heads_k; ++key_head) walk_group(b, key_head);
    }
  }

 private:
  template <class Step>
  void on_both(const Step& step) {
    step(upper_);
    if (least_) step(*least_);
  }

  // Where a sharper answer could lower a budget, what is rejected lies beyond a little more of it,
  // for the roundings of its evaluation (error-analysis.md, Lemma 24).
  template <class BudgetOf>
  [[nodiscard]] Budget most(const BudgetOf& budget) const {
    Budget largest = budget(upper_);
    if (least_) largest.total *= 1 + 0x1p-40;
    return largest;
  }

  // The least budget, a little lower likewise.
  template <class BudgetOf>
  [[nodiscard]] std::optional<Budget> least(const BudgetOf& budget) const {
    if (!least_) return std::nullopt;
    Budget lowest = budget(*least_);
    lowest.total *= 1 - 0x1p-40;
    return lowest;
  }

  void walk_group(Index b, Index key_head) {
    on_both([&](GroupSums& sums) { sums.begin(b, key_head); });
    for (Index h = key_head * g_.group(); h < (key_head + 1) * g_.group(); ++h) {
      on_both([&](GroupSums& sums) { sums.begin_head(h); });
      for (Index i = 0; i < p_.n_q; ++i) walk_row(b, h, i);
    }
    for (const OutputTensor tensor : {OutputTensor::dk, OutputTensor::dv}) {
      for (Index j = 0; j < p_.n_k; ++j) judge_key(tensor, b, key_head, j);
    }
  }

  void walk_row(Index b, Index h, Index i) {
    const std::span<const Pair> pairs = g_.pairs(b, h, i, room_);
    on_both([&](GroupSums& sums) { sums.add_row(h, i, pairs); });
    elements_.judge_row(
        OutputTensor::dq, b, h, i,
        [&](Index c, double exact) {
          return most([&](const GroupSums& s) { return s.budget_of_dq(h, i, c, exact); });
        },
        [&](Index c, double exact) {
          return least([&](const GroupSums& s) { return s.budget_of_dq(h, i, c, exact); });
        });
  }

  void judge_key(OutputTensor tensor, Index b, Index key_head, Index j) {
    elements_.judge_row(
        tensor, b, key_head, j,
        [&](Index c, double exact) {
          return most([&](const GroupSums& s) { return s.budget_of_key(tensor, j, c, exact); });
        },
        [&](Index c, double exact) {
          return least([&](const GroupSums& s) { return s.budget_of_key(tensor, j, c, exact); });
        });
  }

  const GradientCase& g_;
  const Problem& p_;
  GroupSums upper_;
  std::optional<GroupSums> least_;
  ElementJudge& elements_;
  std::vector<Pair> room_;
};

// May a sharper answer still lower budgets?
bool may_be_lowered(const Answer& forward, const BackwardAnswer& exact, View view,
                    const BackwardArithmetic& arithmetic) {
  if (exact.is_loose()) return true;
  if (!needs_forward(arithmetic, view == View::stage_wise)) return false;
  return std::ranges::find(forward.bits, kLooseBits) != forward.bits.end();
}

void name_terms(const GradientCase& g, ElementJudgement& e) {
  if (e.exact_class != OutputClass::finite || e.budget.unbounded != Unbounded::no) return;
  const double exact = max_abs(e.exact);
  if (e.tensor == OutputTensor::dq) e.budget.terms = terms_of_dq(g, e.b, e.h, e.i, e.k, exact);
  if (e.tensor == OutputTensor::dk) e.budget.terms = terms_of_dk(g, e.b, e.h, e.i, e.k, exact);
  if (e.tensor == OutputTensor::dv) e.budget.terms = terms_of_dv(g, e.b, e.h, e.i, e.k, exact);
}

void name_terms_of_worst(const GradientCase& g, Judgement& result) {
  for (const OutputTensor tensor : {OutputTensor::dq, OutputTensor::dk, OutputTensor::dv}) {
    if (auto& worst = result.of(tensor).worst) name_terms(g, *worst);
  }
}

void judge_declared(const Problem& p, ElementJudge& elements) {
  const auto none = [](Index, double) { return Budget{}; };
  const auto sharp = [](Index, double) { return std::optional<Budget>{}; };
  const auto each_row = [&](OutputTensor tensor, Index heads, Index rows) {
    for (Index b = 0; b < p.batch; ++b) {
      for (Index h = 0; h < heads; ++h) {
        for (Index i = 0; i < rows; ++i) elements.judge_row(tensor, b, h, i, none, sharp);
      }
    }
  };
  each_row(OutputTensor::dq, p.heads_q, p.n_q);
  each_row(OutputTensor::dk, p.heads_k, p.n_k);
  each_row(OutputTensor::dv, p.heads_k, p.n_k);
}

}  // namespace

Judgement judge_backward(const Problem& problem, const Inputs& inputs, const Answer& forward,
                         const BackwardAnswer& exact, View view, const Numerics& numerics,
                         const Semantics& semantics, const Gradients& gradients, Rows rows,
                         const ElementWitness& witness) {
  ATTEST_EXPECTS(problem.pass == Pass::bwd);
  ATTEST_EXPECTS(gradients.dq.extents == problem.q_extents());
  ATTEST_EXPECTS(gradients.dk.extents == problem.k_extents());
  ATTEST_EXPECTS(gradients.dv.extents == problem.v_extents());
  const BackwardArithmetic arithmetic = resolve_backward(numerics, problem);
  ElementJudge elements(exact, arithmetic.shared, semantics, gradients, rows);
  elements.result.assumed = arithmetic.shared.assumed;
  if (rows == Rows::declared) {
    if (witness) elements.on_element = witness;
    judge_declared(problem, elements);
    return std::move(elements.result);
  }
  const GradientCase prepared(problem, inputs, forward, exact, view, arithmetic);
  std::optional<GradientCase> least;
  if (may_be_lowered(forward, exact, view, arithmetic)) {
    least.emplace(problem, inputs, forward, exact, view, arithmetic, Bounds::least);
  }
  if (witness) {
    elements.on_element = [&](ElementJudgement& e) {
      name_terms(prepared, e);
      witness(e);
    };
  }
  Walk(prepared, least ? &*least : nullptr, elements).run();
  name_terms_of_worst(prepared, elements.result);
  return std::move(elements.result);
}

}  // namespace attest
