// replay: every output is one of the values that the declared schedule can give.
//
// accuracy and stage_accuracy ask whether an error can be explained by roundings, each at its
// worst. Who declares its steps and their order can be followed: most stored weights are then known
// bit for bit, and few values remain for an output, often one. What no schedule is needed for stays
// with the other laws, so that both views are always there.
#include <algorithm>
#include <utility>

#include "judge/replay_forward.hpp"
#include "oracle/enclose_head_gradients.hpp"
#include "oracle/enclose_scores.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/replayed_gradients.hpp"

namespace attest {
namespace {

// Of so many pairs of all heads the scores are kept for the other subjects of the case. Where there
// are more, so many are there at once, in whole rows.
constexpr Index kPairsAtOnce = Index{1} << 20;

using Enclose = HeadScores(const Problem& problem, const Inputs& inputs, Index b, Index h,
                           RowRange rows);

// The pairs of one query head after the other.
class PairsOfHeads {
 public:
  PairsOfHeads(const LawContext& c, Enclose* enclose, std::vector<HeadScores> SharedAnswers::*kept)
      : c_(c), enclose_(enclose) {
    const Problem& p = c.problem;
    const Index heads = p.batch * p.heads_q;
    if (c.shared == nullptr || heads * p.n_q * p.n_k > kPairsAtOnce) return;
    kept_ = &(c.shared->*kept);
    if (!kept_->empty()) return;
    for (Index n = 0; n < heads; ++n) {
      kept_->push_back(enclose(p, c.inputs, n / p.heads_q, n % p.heads_q, {0, p.n_q}));
    }
  }

  // The rows from `first` on, all of them or a block.
  [[nodiscard]] const HeadScores& from(Index b, Index h, Index first) {
    const Problem& p = c_.problem;
    if (kept_ != nullptr) return (*kept_)[static_cast<std::size_t>(b * p.heads_q + h)];
    const Index rows = std::max(Index{1}, kPairsAtOnce / std::max(Index{1}, p.n_k));
    current_ = {};  // frees its memory before as much is taken again
    return current_ = enclose_(p, c_.inputs, b, h, {first, std::min(p.n_q, first + rows)});
  }

 private:
  const LawContext& c_;
  Enclose* enclose_;
  std::vector<HeadScores>* kept_ = nullptr;
  HeadScores current_;
};

void replay_outputs(const LawContext& c, const Numerics& numerics, PairsOfHeads& scores,
                    Judgement& judgement) {
  if (!obstacle_to_replay(numerics).empty()) return;
  const ReplayRules rules = replay_rules(numerics, c.problem);
  const ForwardReplay replay{c.problem, c.answer, rules, c.inputs, c.outputs.o.view()};
  for (Index b = 0; b < c.problem.batch; ++b) {
    for (Index h = 0; h < c.problem.heads_q; ++h) {
      for (Index first = 0; first < c.problem.n_q;) {
        const HeadScores& block = scores.from(b, h, first);
        replay_o(replay, b, h, block, judgement.o);
        first = block.block.end;
      }
    }
  }
}

void replay_backward(const LawContext& c, const Numerics& numerics, PairsOfHeads& scores,
                     Judgement& judgement) {
  PairsOfHeads dp(c, enclose_dp, &SharedAnswers::dp);
  const auto scores_of = [&](Index b, Index h, Index first) -> const HeadScores& {
    return scores.from(b, h, first);
  };
  const auto dp_of = [&](Index b, Index h, Index first) -> const HeadScores& {
    return dp.from(b, h, first);
  };
  const PairsOfCase pairs{scores_of, dp_of};
  const GradientsToReplay stored{c.outputs.o.view(), c.outputs.lse.view(), views_of(c.outputs)};
  replay_gradients(c.problem, c.inputs, numerics, stored, pairs, judgement);
}

LawOutcome followed_in_vain(Judgement judgement) {
  LawOutcome outcome;
  outcome.judgement = std::move(judgement);
  return outcome;
}

}  // namespace

LawOutcome check_replay(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  const Numerics numerics = c.subject.numerics(c.problem, c.settings.unit);
  PairsOfHeads scores(c, enclose_scores, &SharedAnswers::scores);
  Judgement judgement;
  replay_outputs(c, numerics, scores, judgement);
  if (c.problem.pass == Pass::bwd) replay_backward(c, numerics, scores, judgement);
  bool left = false;
  for (const TensorJudgement* tensor : judgement.tensors()) left = left || tensor->left > 0;
  // What was followed and left to the budget counts as left, also where no element else is there.
  if (judgement.judged() == 0 && left) return followed_in_vain(std::move(judgement));
  return outcome_of(std::move(judgement));
}

}  // namespace attest
