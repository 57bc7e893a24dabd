// Goal: a run in workers is several calls that have to agree, an honest one passes them with the
// bits of its own, and each way of failing has its kind.
#include "harness/subjects/isolation/isolated_calls.hpp"

#include <gtest/gtest.h>

#include "core/case.hpp"
#include "properties/execution.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::isolated_calls_test {
namespace {

using Kind = RunOutcome::Kind;

// Two batch entries, one shorter than the other; row 0 of each sees nothing.
Problem uneven() {
  Problem p;
  p.batch = 2;
  p.heads_q = 2;
  p.n_q = 5;
  p.n_k = 4;
  p.d_qk = p.d_v = 3;
  p.right = 0;
  p.lq = {5, 3};
  p.lk = {4, 2};
  return p;
}

Inputs some_values(const Problem& p) {
  Inputs inputs = zero_inputs(p);
  std::uint64_t n = 0;
  for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
    for (std::size_t at = 1; at < tensor->bytes().size(); at += 2, n += 7) {
      tensor->bytes()[at] = static_cast<std::byte>(0x38 + n % 8);  // between 1/2 and 4
    }
  }
  return inputs;
}

Execution run_of(const std::string& spec, const Problem& p = uneven()) {
  const auto subject = load_one(spec);
  return execute(*subject, p, some_values(p), {*subject->own_unit()});
}

TEST(IsolatedCalls, GiveTheSameBitsEachTime) {
  const Execution run = run_of(built_plugin("attention"));
  ASSERT_EQ(run.outcome.kind, Kind::ran) << run.outcome.detail;
  EXPECT_EQ(run.outputs, run_of(built_plugin("attention")).outputs);
  EXPECT_EQ(first_unwritten(uneven(), named_outputs(run.outputs)), "");
}

TEST(IsolatedCalls, TellEachWayOfFailingApart) {
  const struct {
    std::string library, subject;
    Kind kind;
    std::string words;
  } rows[] = {
      {"01_leftover", "leftover", Kind::left_unwritten, "o[b=0 h=0 i=0 d=0]"},
      {"02_changed_inputs", "in-place", Kind::changed_inputs, "wrote to q, byte 0"},
      {"02_changed_inputs", "by-the-file", Kind::changed_inputs, "other bytes stand in q"},
      {"14_forged", "forged", Kind::malformed_reply, "no reply to this request"},
      {"17_exit", "exit", Kind::crashed, "ended with status 0"},
      {"20_one_over", "past", Kind::out_of_bounds, "wrote byte 1 past the end of o"},
      {"20_one_over", "before", Kind::out_of_bounds, "before the start of o"},
      {"20_one_over", "read-past", Kind::out_of_bounds, "read byte 1 past the end of v"},
  };
  for (const auto& row : rows) {
    Problem p = uneven();
    p.right = kUnlimited;
    const RunOutcome outcome =
        run_of(built_plugin("cheat_" + row.library) + "#" + row.subject, p).outcome;
    EXPECT_EQ(outcome.kind, row.kind) << row.subject << ": " << outcome.detail;
    EXPECT_NE(outcome.detail.find(row.words), std::string::npos) << outcome.detail;
  }
}

TEST(IsolatedCalls, SeeWhoWritesAfterTheReturn) {
  Problem p = uneven();
  p.lq = p.lk = {};
  const RunOutcome outcome = run_of(built_plugin("cheat_08_late"), p).outcome;
  EXPECT_EQ(outcome.kind, Kind::broke_rules);
  EXPECT_EQ(outcome.detail, "wrote to its outputs after the call had returned");
}

TEST(IsolatedCalls, SeeWhoseBitsDependOnTheBatchAgainstItsPromise) {
  Problem p = uneven();
  p.right = kUnlimited;
  const RunOutcome outcome = run_of(built_plugin("batched"), p).outcome;
  EXPECT_EQ(outcome.kind, Kind::nondeterministic);
  EXPECT_TRUE(outcome.detail.starts_with("the last batch entry alone: lse[b=0 h=0 i=0] is "))
      << outcome.detail;
  p.batch = 1;
  p.lq = p.lk = {};
  EXPECT_EQ(run_of(built_plugin("batched"), p).outcome.kind, Kind::ran);
}

TEST(IsolatedCalls, StartAgainWithAFreshWorkerAfterAFailure) {
  const Problem p = uneven();
  const auto subject = load_one(built_plugin("cheat_17_exit"));
  for (int n = 0; n < 3; ++n) {
    const Execution run = execute(*subject, p, some_values(p), {Unit::fp32_seq});
    EXPECT_EQ(run.outcome.kind, Kind::crashed);
    EXPECT_NE(run.outcome.detail.find("status 0 before it replied"), std::string::npos);
  }
}

TEST(IsolatedCalls, TakeTensorsOfNoSize) {
  for (Index Problem::*const size : {&Problem::n_q, &Problem::n_k}) {
    Problem p;
    p.*size = 0;
    EXPECT_EQ(run_of(built_plugin("attention"), p).outcome.kind, Kind::ran);
  }
}

}  // namespace
}  // namespace attest::isolated_calls_test
