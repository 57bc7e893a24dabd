#include "judge/gradient_terms.hpp"

#include <algorithm>
#include <string_view>

namespace attest {
namespace {

class Terms {
 public:
  void add(std::string_view name, double value) {
    if (value == 0) return;
    for (BudgetTerm& term : terms_) {
      if (term.name == name) {
        term.value += value;
        return;
      }
    }
    terms_.push_back({name, value});
  }
  void scale(double factor) {
    for (BudgetTerm& term : terms_) term.value *= factor;
  }
  [[nodiscard]] double sum() const {
    double sum = 0;
    for (const BudgetTerm& term : terms_) sum += term.value;
    return sum;
  }
  [[nodiscard]] std::vector<BudgetTerm> take() { return std::move(terms_); }

 private:
  std::vector<BudgetTerm> terms_;
};

// What is off in a weight by itself, over its causes.
void add_weight(Terms& terms, const GradientCase& g, const RowCosts& costs, const Pair& pair,
                double kappa, const WeightError& weight, double factor) {
  const LogErrorShares log = log_error(costs, pair, kappa);
  const double lost = std::min(g.arithmetic().shared.eta_x, weight.own);
  const double per_log = log.sum() > 0 ? (weight.own - lost) / log.sum() * factor : 0;
  terms.add("scores", log.scores * per_log);
  terms.add("exponent", log.exponent * per_log);
  terms.add("exp2", log.exp2 * per_log);
  terms.add("P underflow", lost * factor);
}

// All of dS's causes but what dQ treats as common to the row; `x`: the other factor's magnitude.
void add_score_gradient(Terms& terms, const GradientCase& g, const RowCosts& costs,
                        const Pair& pair, double kappa, const GradientCase::PairErrors& e,
                        double x) {
  const ScoreGradientError& ds = e.score_gradient;
  add_weight(terms, g, costs, pair, kappa, e.weight, pair.abs_dp_less_d * x);
  terms.add("dP accumulation", ds.of_dp * x);
  terms.add("dS arithmetic", ds.of_arithmetic * x);
  terms.add("P rounding", ds.of_p_rounding * x);
  terms.add("dS rounding", ds.of_rounding * x);
  terms.add("dS underflow", ds.of_underflow * x);
}

// The terms after the sum.
std::vector<BudgetTerm> finished(Terms& terms, const GradientCase& g, const Finish& how,
                                 Index pairs, double exact) {
  terms.scale(upward(pairs));
  const FinishedBudget f = finish(g.arithmetic(), how, terms.sum(), exact);
  terms.scale(how.sigma);
  terms.add("accumulation", f.underflow);
  terms.add("scale product", f.scale);
  terms.add("group sum", f.group);
  terms.add("output rounding", f.output);
  return terms.take();
}

// Visits every pair of a key, with the constant of its chain.
template <class Visit>
void for_pairs_of_key(const GradientCase& g, Index b, Index key_head, Index j, Visit visit) {
  const Index first = key_head * g.group();
  const Index last = first + g.group();
  const bool per_head = g.arithmetic().chain_per_head;
  std::vector<double> gams = g.gams_of_keys(b, first, per_head ? first + 1 : last);
  for (Index h = first; h < last; ++h) {
    if (per_head && h > first) gams = g.gams_of_keys(b, h, h + 1);
    for (Index i = 0; i < g.problem().n_q; ++i) {
      const BackwardRow& row = g.row(b, h, i);
      if (j < row.first() || j >= row.end()) continue;
      visit(h, i, g.pair(b, h, i, j), gams[static_cast<std::size_t>(j)]);
    }
  }
}

}  // namespace

std::vector<BudgetTerm> terms_of_dq(const GradientCase& g, Index b, Index h, Index i, Index c,
                                    double exact) {
  const BackwardRow& row = g.row(b, h, i);
  const RowCosts& costs = g.costs(b, h, i);
  const Index key_head = g.key_head_of(h);
  const double gam = g.gam_of_row(row);
  Terms terms;
  std::vector<Pair> room;
  for (const Pair& pair : g.pairs(b, h, i, room)) {
    const auto e = g.errors_of(pair, costs, b, key_head);
    const Magnitudes k = g.k(b, key_head, pair.j);
    const PairOperands operands =
        pair_operands(g.arithmetic(), costs, pair, e.weight, e.score_gradient);
    add_score_gradient(terms, g, costs, pair, g.kappa(b, key_head, pair.j), e, k.plain[c]);
    terms.add("D", costs.d_error * e.weight.all() * k.plain[c]);
    terms.add("accumulation", gam * operands.in_dq.size * k.seen[c]);
  }
  terms.add("D", g.shared_d(row, costs, c));
  terms.add("LSE", g.shared_lse(costs, exact));
  return finished(terms, g, g.finish_dq(row), row.pair_count(), exact);
}

std::vector<BudgetTerm> terms_of_dk(const GradientCase& g, Index b, Index key_head, Index j,
                                    Index c, double exact) {
  Terms terms;
  KeySums sums(g.problem().n_k, g.problem().d_qk, true);
  for_pairs_of_key(g, b, key_head, j, [&](Index h, Index i, const Pair& pair, double gam) {
    const RowCosts& costs = g.costs(b, h, i);
    const auto e = g.errors_of(pair, costs, b, key_head);
    const Magnitudes q = g.q(b, h, i);
    const PairOperands operands =
        pair_operands(g.arithmetic(), costs, pair, e.weight, e.score_gradient);
    add_score_gradient(terms, g, costs, pair, g.kappa(b, key_head, j), e, q.plain[c]);
    terms.add("D", e.score_gradient.of_d * q.plain[c]);
    terms.add("LSE", e.score_gradient.of_lse * q.plain[c]);
    terms.add("accumulation", gam * operands.in_dk.size * q.seen[c]);
    if (q.off != nullptr) terms.add("scaled Q", operands.in_dk.size * q.off[c]);
    sums.add(j, h, operands.in_dk, operands.score_gradient, gam, q);
  });
  return finished(terms, g, g.finish_dk(sums, j, c), sums.key(j).pairs, exact);
}

std::vector<BudgetTerm> terms_of_dv(const GradientCase& g, Index b, Index key_head, Index j,
                                    Index c, double exact) {
  const Resolved& shared = g.arithmetic().shared;
  Terms terms;
  KeySums sums(g.problem().n_k, g.problem().d_v, true);
  for_pairs_of_key(g, b, key_head, j, [&](Index h, Index i, const Pair& pair, double gam) {
    const RowCosts& costs = g.costs(b, h, i);
    const auto e = g.errors_of(pair, costs, b, key_head);
    const Magnitudes dout = g.dout(b, h, i);
    const PairOperands operands =
        pair_operands(g.arithmetic(), costs, pair, e.weight, e.score_gradient);
    add_weight(terms, g, costs, pair, g.kappa(b, key_head, j), e.weight, dout.plain[c]);
    terms.add("LSE", e.weight.of_row * dout.plain[c]);
    terms.add("P rounding", shared.u_p * e.weight.p * dout.plain[c]);
    terms.add("P underflow", shared.eta_p * dout.plain[c]);
    terms.add("accumulation", gam * operands.in_dv.size * dout.seen[c]);
    sums.add(j, h, operands.in_dv, operands.weight, gam, dout);
  });
  return finished(terms, g, g.finish_dv(sums, j, c), sums.key(j).pairs, exact);
}

}  // namespace attest
