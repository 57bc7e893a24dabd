#include "harness/bundle/judged_outputs.hpp"

#include <algorithm>
#include <optional>

#include "judge/judge_backward.hpp"
#include "judge/judge_forward.hpp"
#include "oracle/enclose_backward.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/nonfinite.hpp"

namespace attest {
namespace {

StoredVerdict stored(Verdict verdict) {
  switch (verdict) {
    case Verdict::accept: return StoredVerdict::accept;
    case Verdict::reject: return StoredVerdict::reject;
    case Verdict::undecided: return StoredVerdict::undecided;
  }
  return StoredVerdict::unjudged;
}

// One output, while its elements come in.
class Collected {
 public:
  Collected(std::string_view name, const Tensor& observed)
      : tensor_(std::string(name), observed), terms_(static_cast<std::size_t>(observed.size())) {}

  // The last word on an element counts: a sharper answer judges again.
  void take(const ElementJudgement& e) {
    const Extents& extents = tensor_.observed.extents();
    const auto at =
        static_cast<std::size_t>(((e.b * extents[1] + e.h) * extents[2] + e.i) * extents[3] + e.k);
    tensor_.verdicts[at] = stored(e.verdict);
    tensor_.errors[at] = e.error;
    if (e.exact_class == OutputClass::finite && e.budget.unbounded == Unbounded::no) {
      tensor_.budgets[at] = e.budget.total;
      terms_[at] = e.budget.terms;
    }
    for (const BudgetTerm& term : e.budget.terms) {
      const std::string name(term.name);
      if (std::ranges::find(tensor_.term_names, name) == tensor_.term_names.end()) {
        tensor_.term_names.push_back(name);
      }
    }
  }

  [[nodiscard]] JudgedTensor with(const std::vector<OutputClass>& classes,
                                  const std::vector<Enclosure>& exact) && {
    tensor_.classes = classes;
    tensor_.exact = exact;
    const std::vector<std::string>& names = tensor_.term_names;
    tensor_.terms.assign(terms_.size() * names.size(), 0);
    for (std::size_t at = 0; at < terms_.size(); ++at) {
      for (const BudgetTerm& term : terms_[at]) {
        const auto column = std::ranges::find(names, term.name) - names.begin();
        tensor_.terms[at * names.size() + static_cast<std::size_t>(column)] = term.value;
      }
    }
    return std::move(tensor_);
  }

 private:
  JudgedTensor tensor_;
  std::vector<std::vector<BudgetTerm>> terms_;
};

LawOutcome outcome_of(Judgement judgement) {
  LawOutcome outcome;
  outcome.verdict = judgement.verdict();
  outcome.judgement = std::move(judgement);
  return outcome;
}

class Judging {
 public:
  Judging(const Failure& failure, const Inputs& inputs, const Outputs& outputs,
          const OracleMemory& oracle)
      : p_(failure.shrunk.smallest.problem),
        inputs_(inputs),
        outputs_(outputs),
        oracle_(oracle),
        numerics_(numerics_of(failure)),
        semantics_(failure.subject->semantics()),
        stage_wise_(failure.law == "stage_accuracy"),
        exact_(enclose(p_, inputs, oracle)) {
    for (const NamedOutput& output : named_outputs(outputs)) {
      collected_.emplace_back(output.name, *output.tensor);
    }
  }

  std::vector<JudgedTensor> run() {
    if (!may_spread(p_, inputs_, semantics_)) {
      judge_o_and_lse();
      if (p_.pass == Pass::bwd) judge_all_gradients();
    } else if (p_.pass == Pass::bwd) {
      gradients_ = *exact_.gradients;
    }
    const Answer& answer = exact_.answer;
    std::vector<JudgedTensor> tensors;
    tensors.push_back(std::move(collected_[0]).with(answer.o_class, answer.o));
    tensors.push_back(std::move(collected_[1]).with(answer.lse_class, answer.lse));
    if (!gradients_) return tensors;
    std::size_t n = 2;
    for (const GradientAnswer* one : {&gradients_->dq, &gradients_->dk, &gradients_->dv}) {
      tensors.push_back(std::move(collected_[n++]).with(one->classes, one->values));
    }
    return tensors;
  }

 private:
  [[nodiscard]] ElementWitness witness() {
    return [this](const ElementJudgement& e) {
      collected_[static_cast<std::size_t>(e.tensor)].take(e);
    };
  }

  void judge_o_and_lse() {
    const auto judged = [&](Rows rows) {
      return judge_forward(p_, exact_.answer, numerics_, semantics_, outputs_.o.view(),
                           outputs_.lse.view(), rows, witness());
    };
    const auto again = [&](std::optional<Precision>) { return outcome_of(judged(Rows::live)); };
    (void)decide(p_, inputs_, exact_, again, oracle_);
    (void)judged(Rows::declared);
  }

  void judge_all_gradients() {
    const auto judged = [&](const BackwardAnswer& exact, Rows rows) {
      const View view = stage_wise_ ? View::stage_wise : View::end_to_end;
      return judge_backward(p_, inputs_, exact_.answer, exact, view, numerics_, semantics_,
                            views_of(outputs_), rows, witness());
    };
    const StoredForward left{outputs_.o.view(), outputs_.lse.view(),
                             numerics_.d_source == DSource::p_dp};
    const auto again = [&](std::optional<Precision> rung) {
      gradients_ = stage_wise_
                       ? enclose_backward(p_, inputs_, left, rung.value_or(kFirstMultiprecision))
                       : *exact_.gradients;
      return outcome_of(judged(*gradients_, Rows::live));
    };
    (void)decide(p_, inputs_, exact_, again, oracle_);
    (void)judged(*exact_.gradients, Rows::declared);
  }

  const Problem& p_;
  const Inputs& inputs_;
  const Outputs& outputs_;
  const OracleMemory& oracle_;
  Numerics numerics_;
  Semantics semantics_;
  bool stage_wise_;
  Exact exact_;
  std::optional<BackwardAnswer> gradients_;  // in the view that is asked for
  std::vector<Collected> collected_;         // in the order of OutputTensor
};

}  // namespace

JudgedOutputs judge_outputs(const Failure& failure, const Inputs& inputs,
                            const OracleMemory& oracle) {
  const Problem& problem = failure.shrunk.smallest.problem;
  RunSettings settings{failure.unit, failure.schedule_seed, cores()};
  settings.configuration = failure.configuration;
  const Execution run = execute(*failure.subject, problem, inputs, settings);
  JudgedOutputs judged{run.outcome, {}, {}};
  if (run.outcome.kind != RunOutcome::Kind::ran) return judged;
  judged.tensors = Judging(failure, inputs, run.outputs, oracle).run();
  if (problem.pass == Pass::bwd) {
    judged.view = failure.law == "stage_accuracy" ? "stage by stage" : "end to end";
  }
  return judged;
}

}  // namespace attest
