// Goal: subjects that take few problems meet cases that they take, each kind in its rounds, and
// others the cases as they are drawn.
#include "harness/campaign/fitted_case.hpp"

#include <gtest/gtest.h>

#include "harness/campaign/campaign.hpp"
#include "harness/report/run_table.hpp"
#include "properties/draw.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::fitted_case_test {
namespace {

// Of one head dimension.
class Narrow final : public StandIn, public ProblemFit {
 public:
  explicit Narrow(Index d, Index tile = 1)
      : StandIn({.name = "narrow/" + std::to_string(d)}), d_(d), tile_(tile) {}
  [[nodiscard]] Problem nearest(const Problem& problem) const override {
    Problem fitted = problem;
    fitted.d_qk = fitted.d_v = d_;
    return fitted;
  }
  [[nodiscard]] TileSizes tiles(const Problem&) const override { return {tile_, tile_}; }
  [[nodiscard]] std::string fit() const override { return std::to_string(d_); }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& p, Unit) const override {
    if (p.d_qk == d_ && p.d_v == d_) return std::nullopt;
    return "another head dimension";
  }

 private:
  Index d_, tile_;
};

TEST(FittedCase, IsTheDrawnOneForSubjectsThatTakeAny) {
  const StandIn any({.name = "any"});
  const Subject* const subjects[] = {&any};
  const CaseFits fits(subjects);
  EXPECT_FALSE(fits.any());
  EXPECT_EQ(fits.fitted(draw(1, 3), 0), draw(1, 3));
}

TEST(FittedCase, TakesTurnsAmongKindsOfSubjects) {
  const StandIn any({.name = "any"});
  const Narrow one(64), same(64), other(128);
  const Subject* const subjects[] = {&one, &any, &same, &other};
  const CaseFits fits(subjects);
  EXPECT_TRUE(fits.any());
  for (std::uint64_t round = 0; round < 6; ++round) {
    const Case drawn = draw(1, round);
    const Case fitted = fits.fitted(drawn, round);
    EXPECT_EQ(fitted.data, drawn.data);
    if (round % 3 == 1) {
      EXPECT_EQ(fitted, drawn);
    } else {
      EXPECT_EQ(fitted.problem.d_qk, round % 3 == 0 ? 64 : 128);
    }
  }
}

TEST(FittedCase, LosesRowsWhereHeadsGrow) {
  const Narrow wide(256);
  const Subject* const subjects[] = {&wide};
  const CaseFits fits(subjects);
  for (std::uint64_t index = 0; index < 200; ++index) {
    const Case drawn = draw(1, index);
    const Case fitted = fits.fitted(drawn, 0);
    EXPECT_LE(fitted.problem.n_q, drawn.problem.n_q);
    EXPECT_GE(fitted.problem.n_q, std::min<Index>(drawn.problem.n_q, 10));
    EXPECT_EQ(fitted.problem.n_k, drawn.problem.n_k);
    EXPECT_EQ(defect_of(fitted.problem), "");
  }
}

// A kernel of large tiles has to come to its third one, and to the edges.
TEST(FittedCase, ReachesTheTilesOfTheSubjectInEverySecondRound) {
  constexpr Index kTile = 128;
  const Narrow large(64, kTile);
  const Subject* const subjects[] = {&large};
  const CaseFits fits(subjects);
  int third = 0, edges = 0, both = 0;
  for (std::uint64_t index = 0; index < 264; ++index) {
    const Case drawn = draw(1, index);
    EXPECT_LE(fits.fitted(drawn, 0).problem.n_k, drawn.problem.n_k);
    const Problem p = fits.fitted(drawn, 1).problem;
    EXPECT_EQ(defect_of(p), "");
    third += p.n_k > 2 * kTile;
    both += p.n_k > 2 * kTile && p.n_q > kTile;
    edges += p.n_k >= kTile - 1 && (p.n_k + 1) % kTile <= 2;
  }
  EXPECT_GE(third, 100);
  EXPECT_GE(both, 10);
  EXPECT_GE(edges, 60);
}

TEST(FittedCase, BringsASubjectOfOneShapeAWholeCampaign) {
  const Narrow narrow(64);
  const Campaign campaign = run_campaign(small_plan(44, {&narrow}));
  EXPECT_TRUE(campaign.fitted);
  EXPECT_TRUE(campaign.tally.unsupported.empty());
  EXPECT_EQ(campaign.tally.cases(), 44);
  EXPECT_EQ(exit_status(campaign), 0) << campaign_report(campaign, {});
}

}  // namespace
}  // namespace attest::fitted_case_test
