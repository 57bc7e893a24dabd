// Goal: values at the edge of their budget climb from binary64 over doubled numbers and every rung
// of multiprecision to exact arithmetic, each as far as it must, and every verdict is the one that
// multiprecision alone gives and the one that is right.
//
// Keys 0 and 1 tie with opposite values, so that O is what key 2 adds: b e^-gap / 2, about. At an
// edge of 0 a rung decides only if its error is below that. Budgets are given here, not derived:
// one and the same for every rung.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "harness/campaign/refine.hpp"
#include "judge/verdict.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"

namespace attest::escalation_test {
namespace {

// What the query's one coordinate chooses.
struct Kind {
  double gap;    // of key 2, below the tie
  Index rows;    // of this kind
  bool at_edge;  // the edge is 0; else O lies within 1e-12 of the budget from it
};

// One for each rung, and beyond 400 digits.
constexpr Kind kKinds[] = {{0.5, 1200, false}, {45, 240, true}, {80, 40, true},  {140, 40, true},
                           {250, 40, true},    {500, 40, true}, {2000, 40, true}};
constexpr Index kKindCount = std::size(kKinds);
constexpr Index kColumns = 64;

Problem problem_of_all() {
  Problem p;
  p.in = p.out = Format::f32;
  p.n_q = 0;
  for (const Kind& kind : kKinds) p.n_q += kind.rows;
  p.n_k = 3;
  p.d_qk = kKindCount;
  p.d_v = kColumns;
  p.heads_q = p.heads_k = 1;
  p.scale = 1;
  return p;
}

std::vector<Index> kinds_of_rows() {
  std::vector<Index> kinds;
  for (Index k = 0; k < kKindCount; ++k) {
    kinds.insert(kinds.end(), static_cast<std::size_t>(kKinds[k].rows), k);
  }
  return kinds;
}

// In every eighth column key 2 adds nothing: O is exactly 0.
Inputs inputs_of_all(const Problem& p, const std::vector<Index>& kinds) {
  Inputs inputs = zero_inputs(p);
  const auto set = [](Tensor& x, Index row, Index column, double value) {
    x.view().set_bits(0, 0, row, column, round_to_bits(Format::f32, value));
  };
  for (Index i = 0; i < p.n_q; ++i) set(inputs.q, i, kinds[static_cast<std::size_t>(i)], 1);
  for (Index c = 0; c < kKindCount; ++c) set(inputs.k, 2, c, -kKinds[c].gap);
  for (std::uint32_t k = 0; k < kColumns; ++k) {
    const double a = 0.5 + uniform(5, {0, 0, 0, 0, k});
    set(inputs.v, 0, k, a);
    set(inputs.v, 1, k, -a);
    set(inputs.v, 2, k, k % 8 == 0 ? 0 : 0.5 + uniform(5, {1, 0, 0, 0, k}));
  }
  return inputs;
}

// What some subject stored, the budget that it is held to, and what exact arithmetic says of both.
struct Claim {
  double observed = 0;
  double budget = 0;
  Verdict due = Verdict::accept;
};

std::vector<Claim> claims_of(const Problem& p, const Inputs& inputs,
                             const std::vector<Index>& kinds) {
  const Answer sharp = enclose_forward(p, inputs);
  std::vector<Claim> claims;
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    for (std::uint32_t k = 0; k < kColumns; ++k) {
      const RandomBits dice = random_bits(6, {2, 0, 0, i, k});
      const bool positive = dice[0] % 2 == 0;
      const bool inside = dice[1] % 2 == 0;
      const double size = 0x1p-12 * (1 + dice[2] * 0x1p-32);
      Claim claim{positive ? size : -size, size, Verdict::accept};
      if (kKinds[kinds[i]].at_edge) {
        // O >= 0, and 0 only where key 2 adds nothing: |observed - O| > size iff observed < 0 < O.
        if (!positive && k % 8 != 0) claim.due = Verdict::reject;
      } else {
        const Enclosure o = sharp.o[i * kColumns + k];
        const double middle = o.lo / 2 + o.hi / 2;
        claim.budget = std::fabs(claim.observed - middle) * (inside ? 1 + 1e-12 : 1 - 1e-12);
        claim.due = inside ? Verdict::accept : Verdict::reject;
      }
      claims.push_back(claim);
    }
  }
  return claims;
}

// The campaign's loop over these claims.
class Climb {
 public:
  Climb(const Problem& p, const Inputs& inputs, const std::vector<Claim>& claims, Answer answer)
      : claims_(claims), exact_{std::move(answer), std::nullopt}, verdicts_(claims.size()) {
    (void)decide(p, inputs, exact_, [&](std::optional<Precision>) { return judge_all(); });
  }

  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }
  [[nodiscard]] const std::vector<Index>& undecided() const { return undecided_; }
  [[nodiscard]] const Answer& answer() const { return exact_.answer; }

 private:
  [[nodiscard]] Verdict verdict_of(std::size_t e) const {
    const Claim& claim = claims_[e];
    const auto decided = decisions_.find(e);
    if (decided != decisions_.end()) return decided->second ? Verdict::accept : Verdict::reject;
    return judge(claim.observed, exact_.answer.o[e], claim.budget);
  }

  LawOutcome judge_all() {
    for (const Decision& d : exact_.answer.decisions) {
      EXPECT_EQ(d.observed, claims_[d.at].observed);
      EXPECT_EQ(d.budget, claims_[d.at].budget);
      decisions_[d.at] = d.within;
    }
    LawOutcome outcome;
    outcome.judgement.emplace();
    for (std::size_t e = 0; e < claims_.size(); ++e) {
      verdicts_[e] = verdict_of(e);
      if (verdicts_[e] != Verdict::undecided) continue;
      outcome.verdict = Verdict::undecided;
      auto& rows = outcome.judgement->undecided_rows;
      if (rows.empty() || rows.back() != e / kColumns) rows.push_back(e / kColumns);
      outcome.judgement->open.push_back({false, e, claims_[e].observed, claims_[e].budget});
    }
    undecided_.push_back(static_cast<Index>(outcome.judgement->open.size()));
    return outcome;
  }

  const std::vector<Claim>& claims_;
  Exact exact_;
  std::vector<Verdict> verdicts_;
  std::vector<Index> undecided_;  // after binary64 (or the first answer) and after each step up
  std::map<std::size_t, bool> decisions_;
};

TEST(Escalation, ReachesEveryTierAndJudgesAsMultiprecisionAloneAndRightly) {
  const Problem p = problem_of_all();
  const std::vector<Index> kinds = kinds_of_rows();
  const Inputs inputs = inputs_of_all(p, kinds);
  const std::vector<Claim> claims = claims_of(p, inputs, kinds);
  ASSERT_GE(claims.size(), 100'000U);

  const Climb all(p, inputs, claims, enclose_in_binary64(p, inputs));
  const Climb alone(p, inputs, claims, enclose_forward(p, inputs));
  for (std::size_t e = 0; e < claims.size() && !HasFailure(); ++e) {
    EXPECT_EQ(all.verdicts()[e], claims[e].due) << "element " << e;
    EXPECT_EQ(all.verdicts()[e], alone.verdicts()[e]) << "element " << e;
  }

  // Binary64, doubled numbers, 50, 100, 200 and 400 digits, and exact arithmetic: each decides
  // some.
  const std::vector<Index>& open = all.undecided();
  ASSERT_EQ(open.size(), 7U);
  EXPECT_LT(open.front(), static_cast<Index>(claims.size()) / 2);
  for (std::size_t n = 1; n < open.size(); ++n) EXPECT_GE(open[n - 1] - open[n], 500) << n;
  EXPECT_EQ(open.back(), 0);
  EXPECT_EQ(all.answer().decisions.size(), static_cast<std::size_t>(open[5]));
  EXPECT_EQ(alone.undecided().size(), 5U);  // 50 to 400 digits, and exact arithmetic
  std::string counts;
  for (const Index n : open) counts += ' ' + std::to_string(n);
  RecordProperty("undecided", counts);
}

}  // namespace
}  // namespace attest::escalation_test
