// Goal: S and P go through global memory exactly once each way and only where a pair is live, no
// rule of the machine is broken for any shape, the schedule changes no bit, and what no row sees
// reaches no output. That the numbers are right is for the laws (properties/), over drawn cases.
#include "kernels/attention/materialising.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "judge/arithmetic.hpp"
#include "kernels/attention/materialising_instances.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "oracle/mask.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest::materialising_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void expect_moved_once(const RunReport& report, std::string_view tensor, Index bytes) {
  const auto traffic = traffic_of(report, tensor);
  ASSERT_TRUE(traffic.has_value()) << tensor;
  EXPECT_EQ(traffic->bytes_written, static_cast<std::int64_t>(bytes)) << tensor;
  EXPECT_EQ(traffic->bytes_read, static_cast<std::int64_t>(bytes)) << tensor;
}

Index live_pairs(const Problem& p) {
  Index pairs = 0;
  for_each({p.batch, 1, p.n_q, p.n_k},
           [&](Index b, Index, Index i, Index j) { pairs += is_live(p, b, i, j) ? p.heads_q : 0; });
  return pairs;
}

// Two heads that share one, ragged against every tile.
Problem ragged_problem() {
  Problem p;
  p.heads_q = 2;
  p.n_q = 70;
  p.n_k = 45;
  p.d_qk = 24;
  p.d_v = 17;
  p.scale = 0.25f;
  return p;
}

Problem windowed_problem() {
  Problem p = ragged_problem();
  p.batch = 2;
  p.left = 9;
  p.right = 3;
  p.lq = {70, 33};
  p.lk = {45, 40};
  return p;
}

std::vector<Problem> shapes() {
  std::vector<Problem> all = {ragged_problem(), windowed_problem()};
  const auto add = [&](auto change) {
    all.push_back(ragged_problem());
    change(all.back());
  };
  add([](Problem& p) { p.n_k = 0; });
  add([](Problem& p) { p.n_q = 0; });
  add([](Problem& p) { p.n_q = p.n_k = 1; });
  add([](Problem& p) { p.right = 0; });
  add([](Problem& p) { p.right = -60; });             // no row sees a key
  add([](Problem& p) { p.left = -3, p.right = 2; });  // nor here: an empty band
  add([](Problem& p) { p.lk = {0}; });
  add([](Problem& p) { p.lq = {0}; });
  add([](Problem& p) { p.d_qk = 128, p.d_v = 65; });
  add([](Problem& p) { p.d_qk = 1, p.d_v = 256, p.out = Format::f32; });
  add([](Problem& p) { p.d_qk = 200, p.d_v = 8, p.in = p.out = Format::bf16; });
  add([](Problem& p) { p.n_q = 2, p.n_k = 3100; });  // rows for blocks of one
  return all;
}

TEST(Materialising, MovesEachScoreAndEachWeightOnceEachWay) {
  const Problem p = ragged_problem();
  const Inputs inputs = gaussian_inputs(p, 1);
  const Index pairs = p.heads_q * p.n_q * p.n_k;
  const RunReport wide = run_reported(run_materialising_form<0>, p, inputs).report;
  expect_moved_once(wide, "s", pairs * 4);
  expect_moved_once(wide, "p", pairs * 2);
  const RunReport narrow = run_reported(run_materialising_form<1>, p, inputs).report;
  expect_moved_once(narrow, "s", pairs * 2);
  expect_moved_once(narrow, "p", pairs * 2);
}

TEST(Materialising, MovesNothingForDeadPairs) {
  const Problem p = windowed_problem();
  const RunReport report = run_reported(run_materialising_form<0>, p, gaussian_inputs(p, 2)).report;
  ASSERT_LT(live_pairs(p), p.batch * p.heads_q * p.n_q * p.n_k / 4);
  expect_moved_once(report, "s", live_pairs(p) * 4);
  expect_moved_once(report, "p", live_pairs(p) * 2);
}

TEST(Materialising, IsNotWhatTiledDoes) {
  const Problem p = ragged_problem();
  const RunReport report = run_reported(run_tiled_form<0>, p, gaussian_inputs(p, 1)).report;
  EXPECT_TRUE(traffic_of(report, "q").has_value());
  EXPECT_FALSE(traffic_of(report, "s").has_value());
  EXPECT_FALSE(traffic_of(report, "p").has_value());
}

TEST(Materialising, BreaksNoRuleOfTheMachine) {
  for (const Problem& p : shapes()) {
    SCOPED_TRACE(to_string(p));
    ASSERT_EQ(defect_of(p), "");
    ASSERT_EQ(beyond_materialising(p), std::nullopt);
    const Inputs inputs = gaussian_inputs(p, 3);
    for (const RunForm form : {run_materialising_form<0>, run_materialising_form<1>}) {
      const RunReport report = run_reported(form, p, inputs).report;
      EXPECT_TRUE(report.clean()) << findings_of(report);
    }
  }
}

TEST(Materialising, GivesTheSameBitsUnderEverySchedule) {
  const Problem p = windowed_problem();
  const Inputs inputs = gaussian_inputs(p, 4);
  const Result by_number = run_reported(run_materialising_form<0>, p, inputs).result;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Emulation emulation;
    emulation.schedule_seed = seed;
    emulation.threads = seed % 2 == 0 ? 2 : 5;
    const auto [result, report] = run_reported(run_materialising_form<0>, p, inputs, emulation);
    EXPECT_EQ(result, by_number) << "seed " << seed;
    EXPECT_TRUE(report.clean()) << findings_of(report);
  }
}

TEST(Materialising, GivesZeroAndMinusInfinityToRowsWithoutAKey) {
  Problem none = ragged_problem();
  none.n_k = 0;
  Problem beyond = ragged_problem();
  beyond.lq = {40};
  for (const Problem& p : {none, beyond}) {
    const Result result = run_reported(run_materialising_form<0>, p, gaussian_inputs(p, 5)).result;
    for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
      if (p.n_k > 0 && i < 40) return;
      EXPECT_EQ(result.o.view().bits(b, h, i, k), 0u);
      EXPECT_EQ(result.lse.view().value(b, h, i, 0), -kInfinity);
    });
  }
}

TEST(Materialising, IsBlindToWhatNoRowSees) {
  const Problem p = windowed_problem();
  Inputs inputs = gaussian_inputs(p, 6);
  const Result before = run_reported(run_materialising_form<0>, p, inputs).result;
  for (Index j = p.lk[1]; j < p.n_k; ++j) {
    for (Index column = 0; column < p.d_qk; ++column) set(inputs.k, 1, 0, j, column, kNan);
    for (Index column = 0; column < p.d_v; ++column) set(inputs.v, 1, 0, j, column, kInfinity);
  }
  EXPECT_EQ(run_reported(run_materialising_form<0>, p, inputs).result, before);
}

// A dead pair has no score, so that a NaN in K stays with the rows that see it.
TEST(Materialising, KeepsANanKeyFromRowsThatDoNotSeeIt) {
  Problem p = ragged_problem();
  p.right = 0;
  p.align = Align::top_left;
  constexpr Index kBad = 20;
  Inputs inputs = gaussian_inputs(p, 7);
  const Result before = run_reported(run_materialising_form<0>, p, inputs).result;
  set(inputs.k, 0, 0, kBad, 3, kNan);
  const Result after = run_reported(run_materialising_form<0>, p, inputs).result;
  for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
    if (i < kBad) {
      EXPECT_EQ(after.o.view().bits(b, h, i, k), before.o.view().bits(b, h, i, k));
    } else {
      EXPECT_TRUE(std::isnan(after.o.view().value(b, h, i, k)));
      EXPECT_TRUE(std::isnan(after.lse.view().value(b, h, i, 0)));
    }
  });
}

// 256 * 256 = 65536 is beyond f16, 256 * 255 is not; the scale would have made both small.
TEST(Materialising, LosesScoresBeyondTheRangeOf16Bits) {
  Problem p = scored_problem(2);
  p.scale = 0x1p-16f;
  Inputs inputs = scored_inputs(p, {255, 256});
  set(inputs.q, 0, 0, 0, 0, 256);
  const Result wide = run_reported(run_materialising_form<0>, p, inputs).result;
  EXPECT_NEAR(wide.lse.view().value(0, 0, 0, 0), 1 + std::log(2.0), 0x1p-7);
  const Result narrow = run_reported(run_materialising_form<1>, p, inputs).result;
  EXPECT_TRUE(std::isnan(narrow.lse.view().value(0, 0, 0, 0)));
  set(inputs.k, 0, 0, 1, 0, 255);
  const Result within = run_reported(run_materialising_form<1>, p, inputs).result;
  EXPECT_EQ(within.o.view().value(0, 0, 0, 0), 1.5);
}

TEST(Materialising, DeclaresOneTileWhateverTheBand) {
  const auto subjects = materialising_subjects();
  ASSERT_EQ(subjects.size(), 2u);
  for (const Index n_k : {0, 1, 16, 17, 272}) {
    Problem p = windowed_problem();
    p.lk.clear();
    p.n_k = n_k;
    const Numerics wide = subjects[0].subject->numerics(p, Unit::h100);
    EXPECT_TRUE(resolve(wide, p).assumed.empty());
    EXPECT_GE(wide.tile_k, std::max<Index>(n_k, 1));
    EXPECT_EQ(wide.s_store, ScoreStore::f32);
    EXPECT_EQ(subjects[1].subject->numerics(p, Unit::h100).s_store, ScoreStore::f16);
  }
}

// As the kernel sums: key n goes to lane n mod 32, the first addition to a lane's zero and any to
// an empty lane's are exact, and a tree of five levels follows.
TEST(Materialising, HasNoLongerChainOfAdditionsThanItDeclares) {
  const Problem p = ragged_problem();
  const Resolved declared =
      resolve(materialising_subjects()[0].subject->numerics(p, Unit::h100), p);
  for (Index keys = 1; keys <= 12'288; ++keys) {
    const Index in_lane = (keys - 1) / 32;
    Index levels = 0;
    while (levels < 5 && (Index{1} << levels) < keys) ++levels;
    const double needed = static_cast<double>(in_lane + levels) * kU;
    ASSERT_GE(gam_of_row_sum(declared, keys, 1), needed) << keys;
  }
}

TEST(Materialising, DeclinesWhatItsMemoryCannotHold) {
  Problem p;
  p.n_k = 12'288;
  EXPECT_EQ(beyond_materialising(p), std::nullopt);
  p.n_k = 12'289;
  EXPECT_EQ(beyond_materialising(p),
            "the kernel holds a row of scores on chip and takes nk up to 12288, not 12289");
  p.n_k = 4096;
  p.n_q = 4096;
  EXPECT_EQ(beyond_materialising(p), std::nullopt);
  p.heads_q = 2;
  EXPECT_NE(beyond_materialising(p), std::nullopt);
  EXPECT_EQ(materialising_subjects()[0].subject->unsupported(p, Unit::h100),
            beyond_materialising(p));
}

}  // namespace
}  // namespace attest::materialising_test
