// Goal: split keys break no rule of the machine, no schedule changes a bit of them, and where parts
// cannot matter they do not: one part is the tiled kernel, a part that outweighs the others is the
// whole. That the numbers are right everywhere else is for the laws, over drawn cases.
#include "kernels/attention/split.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "judge/arithmetic.hpp"
#include "judge/judge_forward.hpp"
#include "kernels/attention/split_instances.hpp"
#include "kernels/attention/split_plan.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/kernels/attention/reported_run.hpp"
#include "tests/kernels/attention/shaped.hpp"
#include "tests/kernels/pairwise_softmax.hpp"

namespace attest::split_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int kForm>
void run_form(Emulator& machine, const Problem& p, const ForwardInputs& inputs,
              const ForwardOutputs& outputs) {
  run_split_emulated(machine, kSplitForms[kForm].config, p, inputs, outputs);
}

struct NamedForm {
  std::string_view name;
  RunForm run;
};

constexpr NamedForm kForms[] = {{kSplitForms[0].name, run_form<0>},
                                {kSplitForms[1].name, run_form<1>},
                                {kSplitForms[2].name, run_form<2>},
                                {kDecodeForm.name, run_decode_emulated}};

bool takes(const NamedForm& form, const Problem& p) {
  return form.run != run_decode_emulated || !beyond_decode(p);
}

// Ragged tails, no keys, no queries, all head dimensions, lengths, bands, both formats.
std::vector<Problem> shapes() {
  std::vector<Problem> all = {shaped(1, 1, 1, 1),      shaped(17, 300, 64, 64),
                              shaped(16, 129, 7, 40),  shaped(5, 200, 72, 128),
                              shaped(3, 100, 256, 3),  shaped(20, 70, 255, 129),
                              shaped(5, 0, 16, 16),    shaped(0, 5, 16, 16),
                              shaped(13, 520, 16, 33), shaped(9, 260, 24, 16)};
  all.back().left = 20;
  all.back().right = 3;
  all.back().in = all.back().out = Format::bf16;
  Problem lengths = shaped(16, 340, 64, 65);
  lengths.lq = {16, 3};
  lengths.lk = {270, 0};
  lengths.right = 0;
  lengths.out = Format::f32;
  all.push_back(lengths);
  Problem gap = shaped(16, 20, 16, 16);
  gap.left = -4;
  gap.right = 2;
  all.push_back(gap);
  Problem dead_rows = shaped(16, 9, 16, 16);
  dead_rows.right = 0;
  all.push_back(dead_rows);
  return all;
}

TEST(Split, BreaksNoRuleOfTheMachineAndNoScheduleChangesABit) {
  int runs = 0;
  for (const Problem& p : shapes()) {
    const Inputs inputs = gaussian_inputs(p, 5);
    for (const NamedForm& form : kForms) {
      if (!takes(form, p)) continue;
      const ReportedRun first = run_reported(form.run, p, inputs, emulation_of(Unit::h100));
      EXPECT_TRUE(first.report.clean()) << form.name << ' ' << to_string(p) << '\n'
                                        << findings_of(first.report);
      for (const std::uint64_t seed : {1, 2}) {
        const int threads = seed == 2 ? 3 : 1;
        const auto other =
            run_reported(form.run, p, inputs, emulation_of(Unit::h100, seed, threads));
        EXPECT_EQ(other.result, first.result) << form.name << ' ' << to_string(p);
        EXPECT_TRUE(other.report.clean()) << findings_of(other.report);
      }
      ++runs;
    }
  }
  EXPECT_GE(runs, 45);
}

TEST(Split, OfOnePartIsTheTiledKernelBitForBit) {
  int alike = 0;
  for (Problem p : shapes()) {
    p.n_k = std::min(p.n_k, 2 * tiled_keys(p));
    for (Index& keys : p.lk) keys = std::min(keys, p.n_k);
    ASSERT_EQ(split_plan(p).parts, 1) << to_string(p);
    const Inputs inputs = gaussian_inputs(p, 7);
    const Result tiled = run_reported(run_tiled_form<0>, p, inputs).result;
    EXPECT_EQ(run_reported(run_form<0>, p, inputs).result, tiled) << to_string(p);
    ++alike;
  }
  EXPECT_GE(alike, 10);
}

// Every output is within what the form declares.
void expect_accepted(const NamedForm& form, const Problem& p, const Answer& answer,
                     const Result& result) {
  for (const DescribedSubject& each : split_subjects()) {
    if (each.subject->name() != form.name) continue;
    const Judgement judgement =
        judge_forward(p, answer, each.subject->numerics(p, Unit::h100), each.subject->semantics(),
                      result.o.view(), result.lse.view(), Rows::live);
    EXPECT_EQ(judgement.verdict(), Verdict::accept) << form.name << ' ' << to_string(p);
  }
}

// All weights of a part are 1, parts are of one size, and 3 is exact everywhere.
TEST(Split, OfEqualScoresAndValuesIsExact) {
  for (const Format format : {Format::f16, Format::bf16}) {
    Problem p = shaped(3, 512, 8, 2);
    p.batch = 1;
    p.in = p.out = format;
    Inputs inputs = zero_inputs(p);
    fill(inputs.v, 3);
    const Answer answer = enclose_forward(p, inputs);
    for (const NamedForm& form : kForms) {
      const Result result = run_reported(form.run, p, inputs).result;
      for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
        ASSERT_EQ(result.o.view().value(b, h, i, k), 3) << form.name;
      });
      expect_accepted(form, p, answer, result);
    }
  }
}

// One key scores 200 above or below all others: the parts on the losing side weigh e^-200, which is
// nothing in binary32.
TEST(Split, OfPartsFarApartIsTheHeavierOne) {
  for (const double score : {200.0, -200.0}) {
    for (const Index top : {Index{0}, Index{150}, Index{299}}) {
      Problem p = shaped(2, 300, 1, 5);
      p.scale = 1;
      Inputs inputs = zero_inputs(p);
      fill(inputs.q, 1);
      for_each(p.k_extents(), [&](Index b, Index h, Index j, Index) {
        set(inputs.k, b, h, j, 0, j == top ? score : 0);
        for (Index k = 0; k < p.d_v; ++k) {
          set(inputs.v, b, h, j, k, static_cast<double>(j == top ? 7 + k : -2 - k));
        }
      });
      const Answer answer = enclose_forward(p, inputs);
      for (const NamedForm& form : kForms) {
        const Result result = run_reported(form.run, p, inputs).result;
        expect_accepted(form, p, answer, result);
        for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
          if (score < 0) return;  // 299 keys of weight 1, in parts of several sizes
          ASSERT_EQ(result.o.view().value(b, h, i, k), 7 + k) << form.name << ' ' << top;
        });
      }
    }
  }
}

TEST(Split, LeavesDeadRowsZeroAndMinusInfinity) {
  for (const Problem& p : shapes()) {
    const Inputs inputs = gaussian_inputs(p, 8);
    for (const NamedForm& form : kForms) {
      if (!takes(form, p)) continue;
      const Result result = run_reported(form.run, p, inputs).result;
      for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
        const bool dead = pairwise_row(p, inputs, b, h, i).dead;
        ASSERT_EQ(result.lse.view().value(b, h, i, 0) == -kInfinity, dead)
            << form.name << ' ' << to_string(p) << " row " << i;
        for (Index k = 0; dead && k < p.d_v; ++k) {
          ASSERT_EQ(result.o.view().value(b, h, i, k), 0) << form.name;
        }
      });
    }
  }
}

// NaN wherever no row of the head looks, in K, V and beyond the queries.
TEST(Split, KeepsWhatNoRowSeesOutOfTheOutputs) {
  Problem p = shaped(14, 300, 16, 16);
  p.lk = {80, 161};
  p.lq = {14, 7};
  p.left = 33;
  p.right = 2;
  const Inputs inputs = gaussian_inputs(p, 10);
  Inputs poisoned = inputs;
  for_each(p.k_extents(), [&](Index b, Index h, Index j, Index column) {
    for (Index i = 0; i < p.n_q; ++i) {
      if (pair_is_live(p, b, i, j)) return;
    }
    set(poisoned.k, b, h, j, column, std::numeric_limits<double>::quiet_NaN());
    set(poisoned.v, b, h, j, column, kInfinity);
  });
  for_each(p.q_extents(), [&](Index b, Index h, Index i, Index column) {
    if (i < p.live_queries(b)) return;
    set(poisoned.q, b, h, i, column, std::numeric_limits<double>::quiet_NaN());
  });
  for (const NamedForm& form : kForms) {
    const Result clean = run_reported(form.run, p, inputs).result;
    EXPECT_EQ(run_reported(form.run, p, poisoned).result, clean) << form.name;
  }
}

// Each part of a block's rows reads the keys it holds, once; a part that no row sees reads nothing.
TEST(Split, ReadsEachKeyOncePerTileOfQueriesAndNothingForEmptyParts) {
  Problem p = shaped(30, 600, 64, 64);
  p.lk = {600, 100};
  const Index live = 600 + 100;
  const RunReport split = run_reported(run_form<0>, p, gaussian_inputs(p, 8)).report;
  const SplitPlan plan = split_plan(p);
  ASSERT_EQ(plan, (SplitPlan{128, 5}));
  EXPECT_EQ(traffic_of(split, "k")->bytes_read, p.heads_q * live * 64 * 2);
  EXPECT_EQ(traffic_of(split, "v")->bytes_read, p.heads_q * live * 64 * 2);
  EXPECT_EQ(traffic_of(split, "q")->bytes_read, (5 + 1) * p.heads_q * p.n_q * 64 * 2);
  const Index partials = (5 + 1) * p.heads_q * p.n_q * 64;
  EXPECT_EQ(traffic_of(split, "partial o")->bytes_written, partials * 4);
  EXPECT_EQ(traffic_of(split, "partial o")->bytes_read, partials * 4);
  EXPECT_EQ(traffic_of(split, "partial lse")->bytes_written, 5 * 2 * p.heads_q * p.n_q * 4);
  EXPECT_EQ(traffic_of(split, "partial lse")->bytes_read, 5 * 2 * p.heads_q * p.n_q * 4);
  const RunReport narrow = run_reported(run_form<1>, p, gaussian_inputs(p, 8)).report;
  EXPECT_EQ(traffic_of(narrow, "partial o")->bytes_read, partials * 2);

  // Decode reads a group's keys once for all of its heads.
  p.n_q = 3;
  const RunReport decode = run_reported(run_decode_emulated, p, gaussian_inputs(p, 8)).report;
  EXPECT_EQ(traffic_of(decode, "k")->bytes_read, p.heads_k * live * 64 * 2);
  EXPECT_EQ(traffic_of(decode, "v")->bytes_read, p.heads_k * live * 64 * 2);
}

TEST(Split, LeavesNoFieldOfItsDeclarationOpenAndDeclaresItsParts) {
  const Problem p = shaped(9, 900, 9, 9);
  for (const DescribedSubject& each : split_subjects()) {
    const Numerics n = each.subject->numerics(p, Unit::a100);
    EXPECT_TRUE(resolve(n, p).assumed.empty()) << each.subject->name();
    ASSERT_TRUE(n.split && n.split->partial && n.part_k && n.tile_k) << each.subject->name();
    EXPECT_EQ(*n.part_k % *n.tile_k, 0) << each.subject->name();
    const Format partial = each.subject->name() == "variant/split-16-bit" ? p.in : Format::f32;
    EXPECT_EQ(*n.split->partial, partial) << each.subject->name();
  }
}

TEST(Split, DeclinesWhatItsMachineCannotHold) {
  Problem p = shaped(17, 100, 64, 64);
  EXPECT_NE(beyond_decode(p).value_or("").find("nq up to 16, not 17"), std::string::npos);
  p.n_q = 16;
  EXPECT_FALSE(beyond_decode(p));
  p.d_qk = 257;
  EXPECT_TRUE(beyond_decode(p));
  EXPECT_TRUE(beyond_split({}, p));
  p = shaped(1 << 12, 1 << 12, 64, 64);
  p.batch = 1;
  const SplitConfig many{.many = true};
  EXPECT_FALSE(beyond_split({}, p));  // one part: there are enough blocks
  EXPECT_NE(beyond_split(many, p).value_or("").find("partial outputs"), std::string::npos);
}

}  // namespace
}  // namespace attest::split_test
