// Goal: the kernels of the machine compute rightly in every configuration that they offer, and
// break no rule in it; where parts cannot matter they change no bit, and a tile is that of the form
// which was compiled for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "judge/arithmetic.hpp"
#include "judge/judge_forward.hpp"
#include "kernels/attention/dispatch.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/split_plan.hpp"
#include "kernels/attention/tiled.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/kernels/attention/shaped.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {
namespace {

using Names = std::vector<std::string>;

std::vector<DescribedSubject> all_subjects() {
  std::vector<DescribedSubject> all = split_subjects();
  for (DescribedSubject& one : tiled_subjects()) all.push_back(std::move(one));
  all.push_back(dispatched_subject());
  return all;
}

const Subject& named(std::string_view name) {
  static const std::vector<DescribedSubject> all = all_subjects();
  return *std::ranges::find_if(all, [&](const auto& one) {
            return one.subject->name() == name;
          })->subject;
}

RunSettings told(const std::string& configuration, Unit unit = Unit::h100) {
  RunSettings settings{unit};
  settings.configuration = configuration;
  return settings;
}

std::vector<Problem> shapes() {
  std::vector<Problem> all = {shaped(17, 300, 64, 64), shaped(5, 200, 72, 128),
                              shaped(3, 100, 256, 3), shaped(5, 0, 16, 16), shaped(9, 260, 24, 16)};
  all.back().left = 20;
  all.back().right = 3;
  all.back().in = all.back().out = Format::bf16;
  Problem lengths = shaped(16, 340, 64, 65);
  lengths.lq = {16, 3};
  lengths.lk = {270, 0};
  lengths.right = 0;
  lengths.out = Format::f32;
  all.push_back(lengths);
  return all;
}

TEST(ToldConfigurations, AreAcceptedByWhatEachDeclares) {
  std::set<std::string> met;
  for (const Problem& p : shapes()) {
    const Inputs inputs = gaussian_inputs(p, 5);
    const Answer answer = enclose_forward(p, inputs);
    for (const char* name : {"split", "variant/split-16-bit", "variant/split-many", "tiled"}) {
      const Subject& subject = named(name);
      for (const std::string& configuration : subject.configurations(p, Unit::h100)) {
        const Numerics declared = subject.numerics_in(configuration, p, Unit::h100);
        EXPECT_TRUE(resolve(declared, p).assumed.empty()) << name << ' ' << configuration;
        const Result result = run(subject, p, inputs, told(configuration));  // breaks no rule
        const Judgement judgement = judge_forward(p, answer, declared, subject.semantics(),
                                                  result.o.view(), result.lse.view(), Rows::live);
        EXPECT_EQ(judgement.verdict(), Verdict::accept) << name << ' ' << configuration;
        met.insert(configuration);
      }
    }
  }
  for (const char* one : {"parts=1", "parts=2", "parts=3", "parts=7", "tile=64x16", "tile=32x32"}) {
    EXPECT_TRUE(met.contains(one)) << one;
  }
}

TEST(ToldConfigurations, AreOfPartsThatDivideTheTilesAndNot) {
  // Five tiles of 64 keys; the own choice is three parts of two.
  EXPECT_EQ(named("split").configurations(shaped(17, 300, 64, 64), Unit::h100),
            (Names{"parts=1", "parts=2", "parts=5", "parts=7", "parts=8"}));
  EXPECT_EQ(named("decode").configurations(shaped(7, 300, 64, 64), Unit::h100), Names{});
  Problem p = shaped(17, 300, 64, 64);
  EXPECT_EQ(told_parts_plan(p, 3), (SplitPlan{128, 3}));
  EXPECT_EQ(told_parts_plan(p, 4), (SplitPlan{128, 4}));
  EXPECT_EQ(told_parts_plan(p, 8), (SplitPlan{64, 8}));
  p.n_k = 0;
  EXPECT_EQ(told_parts_plan(p, 3), (SplitPlan{64, 3}));
}

TEST(ToldConfigurations, OfOnePartAreTheTiledKernelBitForBit) {
  for (const Problem& p : shapes()) {
    const Inputs inputs = gaussian_inputs(p, 7);
    const Result whole = run(named("tiled"), p, inputs, told(""));
    const Names offered = named("split").configurations(p, Unit::h100);
    const bool is_told = std::ranges::find(offered, "parts=1") != offered.end();
    EXPECT_EQ(run(named("split"), p, inputs, told(is_told ? "parts=1" : "")), whole);
  }
}

// Where a row's keys lie in one part, the others hold none, and merging them is the identity.
TEST(ToldConfigurations, OfAnyPartsAreTheTiledKernelWhereEachRowLiesInOne) {
  Problem p = shaped(300, 300, 64, 64);  // row i sees key i alone
  p.left = p.right = 0;
  const Inputs inputs = gaussian_inputs(p, 8);
  const Result whole = run(named("tiled"), p, inputs, told(""));
  for (const std::string& configuration : named("split").configurations(p, Unit::h100)) {
    EXPECT_EQ(run(named("split"), p, inputs, told(configuration)), whole) << configuration;
  }
}

TEST(ToldConfigurations, OfTilesAreTheFormsThatWereCompiledForThem) {
  const Problem p = shaped(40, 150, 64, 64);
  EXPECT_EQ(named("tiled").configurations(p, Unit::h100), (Names{"tile=64x16", "tile=32x32"}));
  EXPECT_EQ(named("variant/tiled-fused").configurations(p, Unit::h100), Names{});
  const Inputs inputs = gaussian_inputs(p, 9);
  for (const auto& [configuration, form] : {std::pair{"tile=64x16", "variant/tiled-16-keys"},
                                            {"tile=32x32", "variant/tiled-32-queries"}}) {
    EXPECT_EQ(run(named("tiled"), p, inputs, told(configuration)),
              run(named(form), p, inputs, told("")));
    EXPECT_EQ(named("tiled").numerics_in(configuration, p, Unit::h100).tile_k,
              named(form).numerics(p, Unit::h100).tile_k);
  }
  // Where shared memory leaves no choice there is none.
  EXPECT_EQ(named("tiled").configurations(shaped(40, 150, 200, 64), Unit::h100), Names{});
}

TEST(ToldConfigurations, OfABackwardAreThoseOfItsForwardAndTheOtherSumOfDq) {
  Problem p = shaped(20, 150, 64, 64);
  p.pass = Pass::bwd;
  const Subject& tiled = named("tiled");
  const Subject& atomic = named("variant/tiled-atomic-dq");
  EXPECT_EQ(tiled.configurations(p, Unit::h100), (Names{"tile=64x16", "tile=32x32", "dq=atomic"}));
  EXPECT_EQ(atomic.configurations(p, Unit::h100).back(), "dq=one-chain");
  EXPECT_EQ(tiled.numerics_in("dq=atomic", p, Unit::h100), atomic.numerics(p, Unit::h100));
  EXPECT_EQ(atomic.numerics_in("dq=one-chain", p, Unit::h100), tiled.numerics(p, Unit::h100));
  const Inputs inputs = gaussian_inputs(p, 10);
  const Result forward = run(tiled, p, inputs, told(""));
  EXPECT_EQ(run_backward(tiled, p, inputs, forward, told("dq=atomic")),
            run_backward(atomic, p, inputs, forward, told("")));
}

TEST(ToldConfigurations, OfDispatchedAreThoseOfTheKernelThatItChooses) {
  const Problem p = shaped(40, 700, 64, 64);
  ASSERT_EQ(dispatch(p).path, Path::split);
  const Names offered = named("dispatched").configurations(p, Unit::h100);
  EXPECT_EQ(offered, named("split").configurations(p, Unit::h100));
  EXPECT_FALSE(offered.empty());
  const Inputs inputs = gaussian_inputs(p, 11);
  EXPECT_EQ(run(named("dispatched"), p, inputs, told(offered[0])),
            run(named("split"), p, inputs, told(offered[0])));
}

}  // namespace
}  // namespace attest
