// one_key: under a band of width one each row sees at most one key, so O must be that key's v and
// LSE its score. The answer for O is read off V, not computed.
#include "oracle/enclose_forward.hpp"
#include "oracle/mask.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/own_answer.hpp"

namespace attest {
namespace {

// Puts v_j, as a point, where row i sees key j and the answer is finite.
void set_exact_values(const Problem& p, const Inputs& inputs, Answer& answer) {
  const ConstTensorView v = inputs.v.view();
  const Index group = p.heads_q / p.heads_k;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.live_queries(b); ++i) {
      const Index j = i + (p.align == Align::top_left ? 0 : p.live_keys(b) - p.live_queries(b));
      if (j < 0 || j >= p.n_k || !is_live(p, b, i, j)) continue;
      for (Index h = 0; h < p.heads_q; ++h) {
        for (Index k = 0; k < p.d_v; ++k) {
          const std::size_t at =
              row_index(p, b, h, i) * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
          const double value = v.value(b, h / group, j, k);
          if (answer.o_class[at] == OutputClass::finite) answer.o[at] = {value, value};
        }
      }
    }
  }
}

Answer& answer_of(const Problem& problem, const Inputs& inputs, SharedAnswers& shared) {
  if (!shared.one_key) {
    shared.one_key = enclose_forward(problem, inputs, kFirstPrecision);
    set_exact_values(problem, inputs, *shared.one_key);
  }
  return *shared.one_key;
}

}  // namespace

LawOutcome check_one_key(const LawContext& c) {
  Problem problem = c.problem;
  problem.left = problem.right = 0;
  if (c.subject.unsupported(problem, c.settings.unit)) return not_applicable();
  if (may_spread(problem, c.inputs, c.subject.semantics())) return not_applicable();
  SharedAnswers own;
  Answer& answer = answer_of(problem, c.inputs, c.shared != nullptr ? *c.shared : own);
  if (!has_live_row(answer)) return not_applicable();
  LawOutcome outcome =
      judge_by_own_answer(c, problem, c.inputs, answer, "with one key a row",
                          [&](Answer& refined) { set_exact_values(problem, c.inputs, refined); });
  outcome.setting = "one key a row: left=0, right=0";
  return outcome;
}

}  // namespace attest
