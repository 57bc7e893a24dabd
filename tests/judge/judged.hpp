// judged.hpp - one problem run by a subject, answered by the oracle and judged: what the end-to-end
// tests of the judge share.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "judge/forward_budget.hpp"
#include "judge/judge_forward.hpp"
#include "kernels/canaries/plain.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {

struct Judged {
  Result result;
  Judgement judgement;
};

inline Judged judge_run(const Subject& subject, const Problem& p, const Inputs& inputs,
                        const Answer& answer, const Numerics& declared) {
  Judged judged{run(subject, p, inputs), {}};
  judged.judgement = judge_forward(p, answer, declared, subject.semantics(), judged.result.o.view(),
                                   judged.result.lse.view(), Rows::live);
  return judged;
}

inline Judged judge_plain(const Problem& p, const Inputs& inputs, const PlainConfig& config = {}) {
  const auto plain = make_plain("plain", config);
  return judge_run(*plain, p, inputs, enclose_forward(p, inputs),
                   plain->numerics(p, Unit::fp32_seq));
}

// The case string and the worst element: what a failing assertion prints.
inline std::string describe(const Problem& p, const Inputs& inputs, const Judgement& j) {
  std::string text = to_string(Case{p, inputs});
  if (const ElementJudgement* worst = j.worst()) {
    text += "\n  " + std::string(name_of(worst->tensor)) + " row " + std::to_string(worst->i) +
            " column " + std::to_string(worst->k) + ": observed " +
            std::to_string(worst->observed) + ", ratio " + std::to_string(worst->ratio) + ", " +
            worst->reason;
  }
  return text;
}

inline double term_of(const Budget& budget, std::string_view name) {
  for (const BudgetTerm& term : budget.terms) {
    if (term.name == name) return term.value;
  }
  return 0;
}

// The budgets of the first row (its first column of O, and its LSE) under one declaration.
struct RowBudgets {
  Budget o;
  Budget lse;
};

inline RowBudgets budgets_of(const Problem& p, const Answer& answer, const Numerics& numerics) {
  const Resolved arithmetic = resolve(numerics, p);
  const RowBudget row = prepare_row(p, arithmetic, answer.rows[0]);
  return {budget_of_o(row, answer.elements[0], answer.o[0]), budget_of_lse(row, answer.lse[0])};
}

}  // namespace attest
