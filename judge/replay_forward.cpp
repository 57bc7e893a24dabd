#include "judge/replay_forward.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "judge/forward_budget.hpp"
#include "judge/replay_weights.hpp"
#include "judge/replayed_output.hpp"
#include "judge/unit_dots.hpp"
#include "judge/widened_rows.hpp"

namespace attest {
namespace {

double without_store(const Budget& budget) {
  for (const BudgetTerm& term : budget.terms) {
    if (term.name == "output rounding") return budget.total - term.value;
  }
  return budget.total;
}

class HeadReplay {
 public:
  HeadReplay(const ForwardReplay& replay, Index b, Index h, const HeadScores& scores,
             TensorJudgement& result)
      : replay_(replay),
        b_(b),
        h_(h),
        scores_(scores),
        values_(replayed_values(replay.rules, replay.inputs.v.view(), b,
                                h / (replay.problem.heads_q / replay.problem.heads_k))),
        result_(result) {
    const Problem& p = replay.problem;
    if (!replay.rules.unit_dots) return;
    dots_.emplace(replay.rules.arithmetic.unit, p.in,
                  widened_rows(replay.inputs.k.view(), b, h / (p.heads_q / p.heads_k), 0, p.n_k),
                  p.d_qk);
  }

  void judge_row(Index i) {
    const Problem& p = replay_.problem;
    const std::size_t row = row_index(p, b_, h_, i);
    const RowScores& scores = scores_.row(i);
    if (scores.first >= scores.end) return;
    if (replay_.answer.lse_class[row] != OutputClass::finite || !scores.known) return leave_row();
    const RowBudget budget = prepare_row(p, replay_.rules.arithmetic, replay_.answer.rows[row]);
    if (!budget.is_bounded()) return leave_row();
    std::vector<double> own;
    if (dots_) {
      own =
          dots_->of(widened_rows(replay_.inputs.q.view(), b_, h_, i, 1), scores.first, scores.end);
    }
    const ReplayedWeights replayed = replay_row(replay_.rules, scores_, i, own);
    if (!replayed.known) return leave_row();
    const ReplayedOutput sums(replay_.rules, values_, scores, replayed);
    if (!(sums.least_row_sum() > 0.25)) return leave_row();
    for (Index k = 0; k < p.d_v; ++k) judge_element(budget, sums, i, k);
  }

 private:
  void leave_row() { result_.left += replay_.problem.d_v; }

  void judge_element(const RowBudget& row_budget, const ReplayedOutput& sums, Index i, Index k) {
    const Problem& p = replay_.problem;
    const std::size_t row = row_index(p, b_, h_, i);
    const std::size_t at = row * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
    const Answer& answer = replay_.answer;
    if (answer.o_class[at] != OutputClass::finite) return leave_element();
    const Budget free = budget_of_o(row_budget, answer.elements[at], answer.o[at]);
    if (free.unbounded != Unbounded::no) return leave_element();
    ElementJudgement e;
    double centre = 0;
    e.budget = sums.budget(k, answer.elements[at].sum_abs_v, centre);
    if (!std::isfinite(centre) || !std::isfinite(e.budget.total)) return leave_element();
    e.tensor = OutputTensor::o;
    e.b = b_;
    e.h = h_;
    e.i = i;
    e.k = k;
    e.bits = replay_.o.bits(b_, h_, i, k);
    e.format = replay_.o.format;
    e.observed = replay_.o.value(b_, h_, i, k);
    judge_replayed(e, centre, replay_.rules.o_store);
    result_.count_replayed(e, answer.rows[row], without_store(free));
  }

  void leave_element() { ++result_.left; }

  const ForwardReplay& replay_;
  Index b_;
  Index h_;
  const HeadScores& scores_;
  ReplayedValues values_;
  TensorJudgement& result_;
  std::optional<UnitDots> dots_;
};

}  // namespace

void replay_o(const ForwardReplay& replay, Index b, Index h, const HeadScores& scores,
              TensorJudgement& result) {
  HeadReplay head(replay, b, h, scores, result);
  for (Index i = scores.block.first; i < scores.block.end; ++i) head.judge_row(i);
}

}  // namespace attest
