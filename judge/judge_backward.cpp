#include "judge/judge_backward.hpp"

#include <optional>
#include <tuple>

#include "core/contract.hpp"
#include "judge/gradient_case.hpp"
#include "judge/gradient_terms.hpp"
#include "judge/row_error.hpp"
#include "judge/special.hpp"

namespace attest {
namespace {

bool is_declared(OutputClass c) { return c == OutputClass::dead || c == OutputClass::beyond; }

Unbounded worse(Unbounded a, Unbounded b) {
  if (a == Unbounded::range || b == Unbounded::range) return Unbounded::range;
  return a == Unbounded::no ? b : a;
}

Budget budget_of(const FinishedBudget& finished, Unbounded why) {
  Budget budget;
  budget.unbounded = worse(why, finished.unbounded);
  budget.total = budget.unbounded == Unbounded::no ? finished.total * upward(0) : 0;
  return budget;
}

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

  [[nodiscard]] bool is_due(OutputClass c) const {
    return is_declared(c) == (rows_ == Rows::declared);
  }

  // Calls budget(c, |exact|) for every column of a row that is judged by its number.
  template <class BudgetOf>
  void judge_row(OutputTensor tensor, Index b, Index h, Index row, BudgetOf budget) {
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
      if (e.exact_class == OutputClass::finite) e.budget = budget(c, max_abs(e.exact));
      take(e);
    }
  }

 private:
  void take(ElementJudgement& e) {
    if (is_declared(e.exact_class)) {
      const auto decided = judge_declared_gradient(e.observed, e.exact_class, semantics_);
      if (!decided) return;
      apply_class(e, *decided);
    } else {
      judge_value(e, arithmetic_.o_format, arithmetic_.o_saturates, arithmetic_.o_overflows);
    }
    result.of(e.tensor).count(e, RowMoments{}, exact_.bits);
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
// once all rows of the group have been met.
class Walk {
 public:
  Walk(const GradientCase& gradients, ElementJudge& elements)
      : g_(gradients), p_(gradients.problem()), elements_(elements) {}

  void run() {
    for (Index b = 0; b < p_.batch; ++b) {
      for (Index key_head = 0; key_head < p_.heads_k; ++key_head) walk_group(b, key_head);
    }
  }

 private:
  struct Chains {
    KeySums dk;
    KeySums dv;
    std::vector<double> gams;
  };

  struct RowSum {
    double gam = 0;
    double size = 0;  // bound of any sum of magnitudes
  };

  void walk_group(Index b, Index key_head) {
    const bool per_head = g_.arithmetic().chain_per_head;
    const bool sizes = g_.arithmetic().per_head && g_.group() > 1;
    Chains chains{{p_.n_k, p_.d_qk, sizes}, {p_.n_k, p_.d_v, sizes}, {}};
    const Index first = key_head * g_.group();
    const Index last = first + g_.group();
    if (!per_head) chains.gams = g_.gams_of_keys(b, first, last);
    for (Index h = first; h < last; ++h) {
      if (per_head) chains.gams = g_.gams_of_keys(b, h, h + 1);
      for (Index i = 0; i < p_.n_q; ++i) walk_row(b, h, i, chains);
    }
    judge_keys(OutputTensor::dk, b, key_head, chains.dk);
    judge_keys(OutputTensor::dv, b, key_head, chains.dv);
  }

  // One row's pairs into dK and dV; its own dQ is judged.
  void walk_row(Index b, Index h, Index i, Chains& chains) {
    const BackwardRow& row = g_.row(b, h, i);
    const RowCosts& costs = g_.costs(b, h, i);
    const Unbounded all = worse(costs.weights, costs.d);
    dq_.assign(static_cast<std::size_t>(p_.d_qk), 0);
    Unbounded why = all;
    RowSum sum;
    if (!row.pairs.empty()) sum.gam = g_.gam_of_row(row);
    for (const Pair& pair : row.pairs) {
      chains.dk.raise(pair.j, all);
      chains.dv.raise(pair.j, costs.weights);
      if (costs.weights != Unbounded::no) continue;
      why = worse(why, add_pair(b, h, i, pair, chains, sum));
    }
    if (!(sum.size < 0x1p127)) why = Unbounded::range;
    elements_.judge_row(OutputTensor::dq, b, h, i, [&](Index c, double exact) {
      if (why == Unbounded::range || row.pairs.empty()) return budget_of({}, why);
      const double pairs_sum = dq_[static_cast<std::size_t>(c)];
      const double summed = pairs_sum + g_.shared_d(row, costs, c) + g_.shared_lse(costs, exact);
      const double up = upward(static_cast<Index>(row.pairs.size()));
      return budget_of(finish(g_.arithmetic(), g_.finish_dq(row), summed * up, exact), why);
    });
  }

  Unbounded add_pair(Index b, Index h, Index i, const Pair& pair, Chains& chains, RowSum& sum) {
    const RowCosts& costs = g_.costs(b, h, i);
    const Index key_head = g_.key_head_of(h);
    const auto e = g_.errors_of(pair, costs, b, key_head);
    const Unbounded why = worse(e.weight.unbounded, e.score_gradient.unbounded);
    const PairOperands o = pair_operands(g_.arithmetic(), costs, pair, e.weight, e.score_gradient);
    const double gam = chains.gams[static_cast<std::size_t>(pair.j)];
    const Magnitudes k = g_.k(b, key_head, pair.j);
    chains.dk.raise(pair.j, why);
    chains.dv.raise(pair.j, e.weight.unbounded);
    add_product(dq_.data(), p_.d_qk, o.in_dq, sum.gam, k);
    sum.size += o.in_dq.size * k.largest;
    chains.dk.add(pair.j, h, o.in_dk, o.score_gradient, gam, g_.q(b, h, i));
    chains.dv.add(pair.j, h, o.in_dv, o.weight, gam, g_.dout(b, h, i));
    return why;
  }

  void judge_keys(OutputTensor tensor, Index b, Index key_head, const KeySums& sums) {
    for (Index j = 0; j < p_.n_k; ++j) {
      const KeySums::Key& key = sums.key(j);
      const double up = upward(key.pairs);
      elements_.judge_row(tensor, b, key_head, j, [&](Index c, double exact) {
        if (key.unbounded == Unbounded::range) return budget_of({}, key.unbounded);
        const Finish how =
            tensor == OutputTensor::dk ? g_.finish_dk(sums, j, c) : g_.finish_dv(sums, j, c);
        return budget_of(finish(g_.arithmetic(), how, sums.error(j, c) * up, exact), key.unbounded);
      });
    }
  }

  const GradientCase& g_;
  const Problem& p_;
  ElementJudge& elements_;
  std::vector<double> dq_;
};

void name_terms(const GradientCase& g, Judgement& result) {
  for (const OutputTensor tensor : {OutputTensor::dq, OutputTensor::dk, OutputTensor::dv}) {
    auto& worst = result.of(tensor).worst;
    if (!worst || worst->exact_class != OutputClass::finite ||
        worst->budget.unbounded != Unbounded::no) {
      continue;
    }
    const double exact = max_abs(worst->exact);
    const auto& [b, h, i, k] = std::tie(worst->b, worst->h, worst->i, worst->k);
    if (tensor == OutputTensor::dq) worst->budget.terms = terms_of_dq(g, b, h, i, k, exact);
    if (tensor == OutputTensor::dk) worst->budget.terms = terms_of_dk(g, b, h, i, k, exact);
    if (tensor == OutputTensor::dv) worst->budget.terms = terms_of_dv(g, b, h, i, k, exact);
  }
}

void judge_declared(const Problem& p, ElementJudge& elements) {
  const auto none = [](Index, double) { return Budget{}; };
  const auto each_row = [&](OutputTensor tensor, Index heads, Index rows) {
    for (Index b = 0; b < p.batch; ++b) {
      for (Index h = 0; h < heads; ++h) {
        for (Index i = 0; i < rows; ++i) elements.judge_row(tensor, b, h, i, none);
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
                         const Semantics& semantics, const Gradients& gradients, Rows rows) {
  ATTEST_EXPECTS(problem.pass == Pass::bwd);
  ATTEST_EXPECTS(gradients.dq.extents == problem.q_extents());
  ATTEST_EXPECTS(gradients.dk.extents == problem.k_extents());
  ATTEST_EXPECTS(gradients.dv.extents == problem.v_extents());
  const BackwardArithmetic arithmetic = resolve_backward(numerics, problem);
  ElementJudge elements(exact, arithmetic.shared, semantics, gradients, rows);
  elements.result.assumed = arithmetic.shared.assumed;
  if (rows == Rows::declared) {
    judge_declared(problem, elements);
    return std::move(elements.result);
  }
  const GradientCase prepared(problem, inputs, forward, exact, view, arithmetic);
  Walk(prepared, elements).run();
  name_terms(prepared, elements.result);
  return std::move(elements.result);
}

}  // namespace attest
