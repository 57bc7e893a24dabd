#include "judge/judge_forward.hpp"

#include <optional>
#include <utility>

#include "core/contract.hpp"
#include "judge/arithmetic.hpp"
#include "judge/forward_budget.hpp"
#include "judge/least_moments.hpp"
#include "judge/special.hpp"

namespace attest {
namespace {

bool is_declared(OutputClass c) { return c == OutputClass::dead || c == OutputClass::beyond; }

bool is_infinite(OutputClass c) {
  return c == OutputClass::plus_inf || c == OutputClass::minus_inf;
}

// Walks the rows of one case and fills the judgement.
class Walk {
 public:
  Walk(const Problem& problem, const Answer& answer, const Resolved& arithmetic,
       const Semantics& semantics, ConstTensorView o, ConstTensorView lse,
       const ElementWitness& witness)
      : problem_(problem),
        answer_(answer),
        arithmetic_(arithmetic),
        semantics_(semantics),
        o_(o),
        lse_(lse),
        witness_(witness) {}

  Judgement run(Rows rows) {
    result_.assumed = arithmetic_.assumed;
    for (Index b = 0; b < problem_.batch; ++b) {
      for (Index h = 0; h < problem_.heads_q; ++h) {
        for (Index i = 0; i < problem_.n_q; ++i) {
          const bool declared = is_declared(answer_.lse_class[row_index(problem_, b, h, i)]);
          if (declared != (rows == Rows::declared)) continue;
          declared ? judge_declared_row(b, h, i) : judge_live_row(b, h, i);
        }
      }
    }
    return std::move(result_);
  }

 private:
  ElementJudgement at(OutputTensor tensor, Index b, Index h, Index i, Index k) const {
    const bool is_o = tensor == OutputTensor::o;
    const ConstTensorView& view = is_o ? o_ : lse_;
    const std::size_t row = row_index(problem_, b, h, i);
    const std::size_t element = row * static_cast<std::size_t>(problem_.d_v) + k;
    ElementJudgement e;
    e.tensor = tensor;
    e.b = b;
    e.h = h;
    e.i = i;
    e.k = k;
    e.bits = view.bits(b, h, i, k);
    e.format = view.format;
    e.observed = widen_bits(view.format, e.bits);
    e.exact_class = is_o ? answer_.o_class[element] : answer_.lse_class[row];
    e.exact = is_o ? answer_.o[element] : answer_.lse[row];
    return e;
  }

  void take(const ElementJudgement& e) {
    const std::size_t row = row_index(problem_, e.b, e.h, e.i);
    TensorJudgement& tensor = e.tensor == OutputTensor::o ? result_.o : result_.lse;
    tensor.count(e, answer_.rows[row], answer_.bits[row]);
    if (witness_) witness_(e);
  }

  // May anybody see the terms of the element's budget?
  [[nodiscard]] bool may_be_shown(const ElementJudgement& e, const TensorJudgement& tensor) const {
    if (witness_ || !tensor.worst) return true;
    return e.verdict != Verdict::accept || e.ratio > tensor.worst->ratio;
  }

  void judge_declared_row(Index b, Index h, Index i) {
    for (Index k = 0; k < problem_.d_v; ++k) {
      ElementJudgement e = at(OutputTensor::o, b, h, i, k);
      const auto decided = judge_declared_o(e.observed, e.exact_class, semantics_);
      if (!decided) continue;
      apply_class(e, *decided);
      take(e);
    }
    ElementJudgement e = at(OutputTensor::lse, b, h, i, 0);
    const auto decided = judge_declared_lse(e.observed, e.exact_class, semantics_);
    if (!decided) return;
    apply_class(e, *decided);
    take(e);
  }

  void judge_live_row(Index b, Index h, Index i) {
    const std::size_t row = row_index(problem_, b, h, i);
    const Index undecided_before = result_.o.undecided + result_.lse.undecided;
    // A row with special scores is decided by class alone and may have no usable moments.
    const bool scores_finite = answer_.lse_class[row] == OutputClass::finite;
    std::optional<RowBudget> budget;
    if (scores_finite) budget.emplace(prepare_row(problem_, arithmetic_, answer_.rows[row]));
    const bool loose = scores_finite && answer_.is_loose(row);
    const RowMoments least_row = loose ? least_of(answer_.rows[row]) : RowMoments{};
    std::optional<RowBudget> least;
    if (loose) least.emplace(prepare_row(problem_, arithmetic_, least_row));
    for (Index k = 0; k < problem_.d_v; ++k) {
      ElementJudgement e = at(OutputTensor::o, b, h, i, k);
      const std::size_t element = row * static_cast<std::size_t>(problem_.d_v) + k;
      if (budget && e.exact_class == OutputClass::finite) {
        e.budget = budget_of_o(*budget, answer_.elements[element], e.exact, Terms::left_out);
      }
      // Where scores have no sharp bound a kernel may lose the weight of an infinite V.
      if (budget && !budget->is_bounded() && is_infinite(e.exact_class)) {
        e.exact_class = OutputClass::undefined;
      }
      judge_o(e);
      if (!least) settle(e, element);
      if (least) {
        const ElementMoments moments = least_of(answer_.least[element]);
        keep_if_certain(e, budget_of_o(*least, moments, nearest(e.exact), Terms::left_out),
                        &Walk::judge_o);
      }
      if (budget && may_be_shown(e, result_.o) && e.exact_class == OutputClass::finite) {
        e.budget = budget_of_o(*budget, answer_.elements[element], e.exact);
      }
      take(e);
    }
    ElementJudgement e = at(OutputTensor::lse, b, h, i, 0);
    if (budget) e.budget = budget_of_lse(*budget, e.exact, Terms::left_out);
    judge_lse(e);
    if (!least) settle(e, row);
    if (least) {
      keep_if_certain(e, budget_of_lse(*least, nearest(e.exact), Terms::left_out),
                      &Walk::judge_lse);
    }
    if (budget && may_be_shown(e, result_.lse)) e.budget = budget_of_lse(*budget, e.exact);
    take(e);
    if (result_.o.undecided + result_.lse.undecided != undecided_before) {
      result_.undecided_rows.push_back(row);
    }
  }

  void judge_o(ElementJudgement& e) const {
    judge_value(e, arithmetic_.o_format, arithmetic_.o_saturates, arithmetic_.o_overflows);
  }

  void judge_lse(ElementJudgement& e) const { judge_value(e, arithmetic_.lse_format, false, true); }

  // What stays open of a sharp row has perhaps been decided exactly: error-analysis.md, Theorem 20.
  // Else it is listed. A store that saturates moves the exact value, of which no decision speaks.
  void settle(ElementJudgement& e, std::size_t at) {
    if (e.verdict != Verdict::undecided || e.exact_class != OutputClass::finite) return;
    const bool of_lse = e.tensor == OutputTensor::lse;
    if (!of_lse && arithmetic_.o_saturates) return;
    for (const Decision& decision : answer_.decisions) {
      if (decision.of_lse != of_lse || decision.at != at) continue;
      if (decision.observed != e.observed || decision.budget != e.budget.total) continue;
      e.verdict = decision.within ? Verdict::accept : Verdict::reject;
      e.reason = decision.within ? "" : "the error exceeds the budget";
      return;
    }
    result_.open.push_back({of_lse, at, e.observed, e.budget.total});
  }

  // Loose moments make budgets too large. What the least that a sharper answer could give accepts
  // too is accepted, what even the loose budget rejects is rejected, and the rest waits for the
  // sharper answer: error-analysis.md, Lemma 19.
  void keep_if_certain(ElementJudgement& e, const Budget& least,
                       void (Walk::*judge)(ElementJudgement&) const) const {
    if (e.verdict != Verdict::accept) return;
    const Budget loose = std::exchange(e.budget, least);
    const double error = e.error, ratio = e.ratio;
    (this->*judge)(e);
    // Whether an element has a budget at all is part of the verdict, too: reports count those.
    const bool certain = e.verdict == Verdict::accept && (loose.unbounded == least.unbounded);
    e.budget = loose;
    e.error = error;
    e.ratio = ratio;
    e.verdict = certain ? Verdict::accept : Verdict::undecided;
    e.reason = certain ? "" : "the budget is not sharp enough yet";
  }

  const Problem& problem_;
  const Answer& answer_;
  const Resolved& arithmetic_;
  const Semantics& semantics_;
  ConstTensorView o_;
  ConstTensorView lse_;
  const ElementWitness& witness_;
  Judgement result_;
};

}  // namespace

Judgement judge_forward(const Problem& problem, const Answer& answer, const Numerics& numerics,
                        const Semantics& semantics, ConstTensorView o, ConstTensorView lse,
                        Rows rows, const ElementWitness& witness) {
  ATTEST_EXPECTS(o.extents == problem.o_extents() && lse.extents == problem.lse_extents());
  const Resolved arithmetic = resolve(numerics, problem);
  return Walk(problem, answer, arithmetic, semantics, o, lse, witness).run(rows);
}

}  // namespace attest
