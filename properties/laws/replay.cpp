// replay: every output is one of the values that the declared schedule can give.
//
// accuracy and stage_accuracy ask whether an error can be explained by roundings, each at its
// worst. Who declares its steps and their order can be followed: most stored weights are then known
// bit for bit, and few values remain for an output, often one. What no schedule is needed for stays
// with the other laws, so that both views are always there.
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

// Of so many pairs of all heads the scores are kept for the other subjects of the case.
constexpr Index kPairsToKeep = Index{1} << 20;

using Enclose = HeadScores(const Problem& problem, const Inputs& inputs, Index b, Index h);

// The pairs of one query head after the other.
class PairsOfHeads {
 public:
  PairsOfHeads(const LawContext& c, Enclose* enclose, std::vector<HeadScores> SharedAnswers::*kept)
      : c_(c), enclose_(enclose) {
    const Problem& p = c.problem;
    const Index heads = p.batch * p.heads_q;
    if (c.shared == nullptr || heads * p.n_q * p.n_k > kPairsToKeep) return;
    kept_ = &(c.shared->*kept);
    if (!kept_->empty()) return;
    for (Index n = 0; n < heads; ++n) {
      kept_->push_back(enclose(p, c.inputs, n / p.heads_q, n % p.heads_q));
    }
  }

  [[nodiscard]] const HeadScores& of(Index b, Index h) {
    if (kept_ != nullptr) return (*kept_)[static_cast<std::size_t>(b * c_.problem.heads_q + h)];
    return current_ = enclose_(c_.problem, c_.inputs, b, h);
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
      replay_o(replay, b, h, scores.of(b, h), judgement.o);
    }
  }
}

void replay_backward(const LawContext& c, const Numerics& numerics, PairsOfHeads& scores,
                     Judgement& judgement) {
  PairsOfHeads dp(c, enclose_dp, &SharedAnswers::dp);
  const PairsOfCase pairs{[&](Index b, Index h) -> const HeadScores& { return scores.of(b, h); },
                          [&](Index b, Index h) -> const HeadScores& { return dp.of(b, h); }};
  const StoredGradients stored{c.outputs.o.view(), c.outputs.lse.view(), views_of(c.outputs)};
  replay_gradients(c.problem, c.inputs, numerics, stored, pairs, judgement);
}

}  // namespace

LawOutcome check_replay(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  const Numerics numerics = c.subject.numerics(c.problem, c.settings.unit);
  PairsOfHeads scores(c, enclose_scores, &SharedAnswers::scores);
  Judgement judgement;
  replay_outputs(c, numerics, scores, judgement);
  if (c.problem.pass == Pass::bwd) replay_backward(c, numerics, scores, judgement);
  return outcome_of(std::move(judgement));
}

}  // namespace attest
