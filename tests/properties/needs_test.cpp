// Goal: probing finds the sizes and features on which a failure depends, known beforehand, says of
// the others that they do not matter, claims nothing that it did not try, and keeps its deadline.
#include "properties/needs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "properties/draw.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::needs_test {
namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<std::string>;

Case small_case(Index n_q, Index n_k) {
  Problem p = open_problem(Format::f16, n_q, n_k, 1);
  p.align = Align::top_left;
  return {p, values_of("F0", p, 3)};
}

Needs needs_of(const Case& c, const std::function<Trial(const Attempt&)>& trial,
               std::chrono::milliseconds time = std::chrono::minutes(5)) {
  const Attempt failing{c, Unit::fp32_seq, 0};
  EXPECT_EQ(trial(failing), Trial::fails);
  return find_needs(failing, materialise(c), FamilyData{"F0", 3}, trial, Clock::now() + time);
}

Trial fails_if(bool fails) { return fails ? Trial::fails : Trial::passes; }

const Probe& probe_of(const Needs& needs, std::string_view dimension) {
  const auto found = std::ranges::find(needs.probes, dimension, &Probe::dimension);
  EXPECT_NE(found, needs.probes.end()) << dimension;
  return *found;
}

Values values_of(const Probe& probe, Trial trial) {
  Values values;
  for (const TriedValue& one : probe.tried) {
    if (one.trial == trial) values.push_back(one.value);
  }
  return values;
}

bool any_fails(const Needs& needs, std::string_view dimension) {
  return values_of(probe_of(needs, dimension), Trial::passes).empty();
}

TEST(Needs, FindsTheEdgeOfTheKeysByHalving) {
  const Needs needs = needs_of(small_case(1, 80), [](const Attempt& attempt) {
    return fails_if(attempt.c.problem.n_k > 73);
  });
  const Probe& keys = probe_of(needs, "nk");
  EXPECT_TRUE(keys.is_size);
  EXPECT_EQ(values_of(keys, Trial::passes).back(), "73");
  EXPECT_EQ(values_of(keys, Trial::fails).front(), "74");
  EXPECT_EQ(values_of(keys, Trial::fails).back(), "256");
  EXPECT_EQ(keys.own, "80");
  for (const char* other :
       {"nq", "dqk", "dv", "hq/hk", "hk", "batch", "mask", "lengths", "values"}) {
    EXPECT_TRUE(any_fails(needs, other)) << other;
  }
  EXPECT_TRUE(needs.untried.empty());
}

TEST(Needs, ListsWhatItTriedWhereAFailureIsNotMonotone) {
  const Needs needs = needs_of(small_case(1, 33), [](const Attempt& attempt) {
    return fails_if(attempt.c.problem.n_k % 16 == 1);
  });
  const Values failing = values_of(probe_of(needs, "nk"), Trial::fails);
  EXPECT_EQ(failing, (Values{"1", "17", "33", "65", "129"}));
}

TEST(Needs, TellsFeaturesThatMatterFromThoseThatDoNot) {
  Case c = small_case(2, 5);
  c.problem.right = 0;
  c.problem.align = Align::bottom_right;
  const Needs needs = needs_of(c, [](const Attempt& attempt) {
    const Problem& p = attempt.c.problem;
    return fails_if(p.right == 0 && p.align == Align::bottom_right && p.in == Format::f16 &&
                    attempt.unit != Unit::h100);
  });
  EXPECT_EQ(values_of(probe_of(needs, "mask"), Trial::fails), Values{"causal"});
  EXPECT_EQ(values_of(probe_of(needs, "align"), Trial::passes), Values{"tl"});
  EXPECT_EQ(values_of(probe_of(needs, "in"), Trial::passes), (Values{"bf16", "f32"}));
  EXPECT_EQ(values_of(probe_of(needs, "unit"), Trial::passes), Values{"h100"});
  EXPECT_TRUE(any_fails(needs, "scale"));
  EXPECT_TRUE(any_fails(needs, "nk"));
}

TEST(Needs, SeesThatTheSizeOfValuesMatters) {
  Case c = small_case(1, 1);
  std::get<Inputs>(c.data).v.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f16, 100));
  const Needs needs = needs_of(c, [](const Attempt& attempt) {
    if (attempt.c.problem.n_k == 0) return Trial::declined;
    return fails_if(materialise(attempt.c).v.view().value(0, 0, 0, 0) >= 30);
  });
  EXPECT_EQ(values_of(probe_of(needs, "size of v"), Trial::passes), (Values{"/256", "/16", "/4"}));
  EXPECT_EQ(values_of(probe_of(needs, "values"), Trial::passes).size(), 4u);
  EXPECT_EQ(values_of(probe_of(needs, "nk"), Trial::declined), Values{"0"});
}

// Repeated and zero values do not fail here, drawn ones do.
TEST(Needs, TriesAShapeWithTheValuesThatTheFamilyGives) {
  const Needs needs = needs_of(small_case(1, 4), [](const Attempt& attempt) {
    const bool drawn = std::holds_alternative<FamilyData>(attempt.c.data);
    return fails_if(attempt.c.problem.n_k <= 4 || drawn);
  });
  EXPECT_TRUE(any_fails(needs, "nk"));
}

TEST(Needs, AsksForOtherSchedulesOnlyWhereOneIsNeeded) {
  const Case c = small_case(1, 1);
  const auto needs_seed = [](const Attempt& attempt) {
    return fails_if(attempt.schedule_seed % 2 == 1);
  };
  const Needs needs = find_needs({c, Unit::fp32_seq, 41}, materialise(c), std::nullopt, needs_seed,
                                 Clock::now() + std::chrono::minutes(5));
  const Probe& schedules = probe_of(needs, "schedule");
  EXPECT_EQ(values_of(schedules, Trial::fails), (Values{"41", "1", "3", "5", "7"}));
  EXPECT_EQ(values_of(schedules, Trial::passes), (Values{"0", "2", "4", "6"}));
  const Needs without = needs_of(c, [](const Attempt&) { return Trial::fails; });
  EXPECT_EQ(std::ranges::count(without.probes, std::string("schedule"), &Probe::dimension), 0);
}

TEST(Needs, NamesWhatTheDeadlineLeftOut) {
  const Case c = small_case(1, 4);
  const auto slow = [](const Attempt&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return Trial::fails;
  };
  const auto start = Clock::now();
  const Needs needs = needs_of(c, slow, std::chrono::milliseconds(60));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  EXPECT_FALSE(needs.untried.empty());
  EXPECT_EQ(needs.untried.back(), "batch");
  for (const Probe& probe : needs.probes) {  // what is known of the one that was cut short, too
    EXPECT_EQ(std::ranges::count(probe.tried, probe.own, &TriedValue::value), 1) << probe.dimension;
  }
  const Needs none = needs_of(c, slow, std::chrono::milliseconds(-1));
  EXPECT_EQ(none.runs, 0);
  EXPECT_TRUE(none.probes.empty());
  EXPECT_FALSE(none.untried.empty());
}

TEST(Needs, CountsEachRunAndTriesNoMalformedProblem) {
  int runs = 0;
  Case c = small_case(3, 4);
  c.problem.lk = {2};
  const Needs needs = needs_of(c, [&](const Attempt& attempt) {
    EXPECT_EQ(defect_of(attempt.c.problem), "");
    if (const auto* inputs = std::get_if<Inputs>(&attempt.c.data)) {
      EXPECT_TRUE(has_shapes_of(*inputs, attempt.c.problem)) << to_string(attempt.c.problem);
    }
    ++runs;
    return fails_if(!attempt.c.problem.lk.empty());
  });
  EXPECT_EQ(needs.runs, runs - 1);  // the failure itself is asked for by this test
  EXPECT_EQ(values_of(probe_of(needs, "lengths"), Trial::passes), (Values{"full", "lq"}));
}

TEST(Needs, OfABackwardCaseLooksAtDoutToo) {
  Problem p = open_problem(Format::bf16, 2, 2, 2);
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  const Case c{p, values_of("F0", p, 3)};
  const Needs needs = needs_of(c, [](const Attempt& attempt) {
    return fails_if(has_shapes_of(materialise(attempt.c), attempt.c.problem));
  });
  EXPECT_TRUE(any_fails(needs, "size of dout"));
  for (const Probe& probe : needs.probes) {
    EXPECT_TRUE(any_fails(needs, probe.dimension)) << probe.dimension;
  }
}

}  // namespace
}  // namespace attest::needs_test
