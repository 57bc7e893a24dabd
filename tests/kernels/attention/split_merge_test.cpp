// Goal: parts merge like sums. (0, -inf) is the identity, two parts give the same bits in either
// order, and any order and any grouping of many stay within what their merging declares.
#include "kernels/attention/split_merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "judge/judge_forward.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/split_run.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest::split_merge_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Part {
  float o, lse;
  friend bool operator==(const Part&, const Part&) = default;
};

Part merge(const std::vector<Part>& parts) {
  MergedParts merged;
  float sum = 0;
  for (const Part& part : parts) {
    if (part.lse == -kInfinity) continue;
    sum = merged.take(part.lse).of(sum, part.o);
  }
  if (merged.l == 0) return {0, -kInfinity};
  return {sum / merged.l, merged.lse()};
}

// Parts of any O, whose LSEs are ties, neighbours, or up to 200 apart.
std::vector<Part> random_parts(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<Part> parts;
  for (std::size_t s = 0; s < count; ++s) {
    const float size = std::array{0.0f, 1.0f, 200.0f}[random() % 3];
    parts.push_back({value(random), value(random) * size});
  }
  return parts;
}

TEST(SplitMergeLaw, ThePartWithoutKeysIsTheIdentity) {
  std::mt19937_64 random(1);
  const Part none{0, -kInfinity};
  EXPECT_EQ(merge({none}), none);
  EXPECT_EQ(merge({none, none}), none);
  for (int n = 0; n < 1000; ++n) {
    const Part part = random_parts(1, random)[0];
    EXPECT_EQ(merge({part}), part);
    EXPECT_EQ(merge({part, none}), part);
    EXPECT_EQ(merge({none, none, part, none}), part);
    // By the recurrence itself, too, which the kernel never asks.
    MergedParts merged;
    float sum = merged.take(part.lse).of(0, part.o);
    const float l = merged.l;
    sum = merged.take(-kInfinity).of(sum, 0);
    EXPECT_EQ(sum, part.o);
    EXPECT_EQ(merged.l, l);
    EXPECT_EQ(merged.m, part.lse);
    MergedParts after_none;
    EXPECT_EQ(after_none.take(-kInfinity).of(0, 0), 0);
    EXPECT_EQ(after_none.l, 0);
    EXPECT_EQ(after_none.take(part.lse).of(0, part.o), part.o);
    EXPECT_EQ(after_none.l, l);
  }
}

TEST(SplitMergeLaw, TwoPartsGiveTheSameBitsInEitherOrder) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 10'000; ++n) {
    const std::vector<Part> parts = random_parts(2, random);
    ASSERT_EQ(merge({parts[0], parts[1]}), merge({parts[1], parts[0]}));
  }
}

// What error-analysis.md, Theorem 15 allows one merge of exact parts of magnitude up to 1: weights
// within (3 (200 + 200) + 2 S) u of each other, and sums of 2 S - 1 roundings, divided once.
double allowed(std::size_t parts) {
  const auto s = static_cast<double>(parts);
  return 2 * (3 * 400 + 2 * s + 2 * s + 1) * 0x1p-24;
}

// The same in binary64.
Part merge_exactly(const std::vector<Part>& parts) {
  double m = -kInfinity, l = 0, sum = 0;
  for (const Part& part : parts) m = std::max(m, static_cast<double>(part.lse));
  for (const Part& part : parts) {
    const double w = std::exp(part.lse - m);
    l += w;
    sum += w * part.o;
  }
  return {static_cast<float>(sum / l), static_cast<float>(m + std::log(l))};
}

TEST(SplitMergeLaw, AnyOrderAndAnyGroupingAgree) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 2000; ++n) {
    std::vector<Part> parts = random_parts(2 + random() % 12, random);
    const Part exact = merge_exactly(parts);
    const double bound = allowed(parts.size());
    const auto expect_near = [&](const Part& merged, double merges) {
      ASSERT_LE(std::fabs(merged.o - exact.o), merges * bound + 0x1p-24);
      ASSERT_LE(std::fabs(merged.lse - exact.lse), merges * bound + 3 * 200 * 0x1p-24);
    };
    std::ranges::shuffle(parts, random);
    expect_near(merge(parts), 1);
    // (a b) (c d ...): each group becomes a part of its own, off by one merge in O and in LSE.
    const auto middle = parts.begin() + 1 + static_cast<long>(random() % (parts.size() - 1));
    expect_near(merge({merge({parts.begin(), middle}), merge({middle, parts.end()})}), 4);
  }
}

// The kernel's own partial outputs in any order: all of them accepted, and with two parts the same
// bits.
class PermutedParts {
 public:
  PermutedParts(const Problem& p, const Inputs& inputs) : p_(p), inputs_(inputs) {
    plan_ = split_plan(p);
    const auto rows = static_cast<std::size_t>(plan_.parts * p.heads_q * p.n_q);
    lse_.resize(rows);
    o_.resize(rows * static_cast<std::size_t>(p.d_v));
    with_kernels([](auto& kernels) { kernels.launch_tiles(); });
  }

  void swap(Index a, Index b) {
    const auto swap_rows = [&](std::vector<float>& all) {
      const auto part = static_cast<Index>(all.size()) / plan_.parts;
      std::swap_ranges(all.begin() + a * part, all.begin() + (a + 1) * part,
                       all.begin() + b * part);
    };
    swap_rows(lse_);
    swap_rows(o_);
  }
  [[nodiscard]] Index parts() const { return plan_.parts; }
  [[nodiscard]] Result combine(Combine how) {
    with_kernels([&](auto& kernels) { kernels.launch_combine(how); });
    return result_;
  }

 private:
  template <class Launch>
  void with_kernels(Launch launch) {
    Emulation emulation = emulation_of(Unit::h100);
    emulation.detect_races = false;  // partials outlive the machine that wrote them
    Emulator machine(emulation);
    ForwardTensors<Fp16, Emulator> tensors(machine, p_,
                                           {inputs_.q.view(), inputs_.k.view(), inputs_.v.view()},
                                           {result_.o.view(), result_.lse.view()});
    SplitPartials<Fp16> partials;
    partials.rows = p_.heads_q * p_.n_q;
    partials.d_v = static_cast<int>(p_.d_v);
    partials.part_k = static_cast<int>(plan_.part_k);
    partials.parts = static_cast<int>(plan_.parts);
    partials.lse = machine.output("partial lse", lse_.data(), static_cast<Index>(lse_.size()));
    partials.o_wide = machine.output("partial o", o_.data(), static_cast<Index>(o_.size()));
    SplitRun<Fp16, Emulator> run(machine, p_, tensors.arguments(), partials);
    launch(run);
    tensors.finish();
  }

  const Problem& p_;
  const Inputs& inputs_;
  SplitPlan plan_;
  std::vector<float> lse_, o_;
  Result result_{Tensor(p_.out, p_.o_extents()), Tensor(Format::f32, p_.lse_extents())};
};

TEST(SplitMergeLaw, TheKernelTakesItsPartsInAnyOrder) {
  std::mt19937_64 random(4);
  for (const Index n_k : {200, 700}) {
    Problem p;
    p.heads_q = 2;
    p.n_q = 20;
    p.n_k = n_k;
    p.d_qk = p.d_v = 9;
    p.out = Format::f32;
    const Inputs inputs = gaussian_inputs(p, 6);
    const Answer answer = enclose_forward(p, inputs);
    PermutedParts parts(p, inputs);
    const Result natural = parts.combine(Combine::divide);
    ASSERT_EQ(parts.parts(), n_k == 200 ? 2 : 6);
    for (int n = 0; n < 6; ++n) {
      for (Index a = parts.parts() - 1; a > 0; --a) {
        parts.swap(a, static_cast<Index>(random() % static_cast<std::uint64_t>(a + 1)));
      }
      for (const Combine how : {Combine::divide, Combine::exp_lse}) {
        const Result result = parts.combine(how);
        const Judgement judgement = judge_forward(
            p, answer,
            [&] {
              Numerics declared = split_numerics({.combine = how}, p);
              declared.unit = Unit::h100;
              return declared;
            }(),
            Semantics{}, result.o.view(), result.lse.view(), Rows::live);
        EXPECT_EQ(judgement.verdict(), Verdict::accept);
        EXPECT_EQ(judgement.o.unbounded, 0);
        if (n_k == 200 && how == Combine::divide) {
          EXPECT_EQ(result, natural);
        }
      }
    }
  }
}

}  // namespace
}  // namespace attest::split_merge_test
