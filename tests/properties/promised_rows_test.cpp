// Goal: two runs are compared where a subject promises the same bits, and nowhere else.
#include "properties/laws/promised_rows.hpp"

#include <gtest/gtest.h>

namespace attest::promised_rows_test {
namespace {

class Declares final : public Subject {
 public:
  Declares(Semantics semantics, std::optional<DqSum> dq_sum)
      : semantics_(semantics), dq_sum_(dq_sum) {}
  [[nodiscard]] std::string name() const override { return "declares"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override {
    Numerics numerics;
    numerics.dq_sum = dq_sum_;
    return numerics;
  }
  [[nodiscard]] Semantics semantics() const override { return semantics_; }
  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                 const RunSettings&) const override {
    return {};
  }

 private:
  Semantics semantics_;
  std::optional<DqSum> dq_sum_;
};

// Row 0 is dead, row 1 sees key 0, row 2 lies beyond the length; key 1 does, too.
Problem banded() {
  Problem p;
  p.n_q = 3;
  p.n_k = 2;
  p.lq = {2};
  p.lk = {1};
  p.align = Align::top_left;
  p.left = 1;
  p.right = -1;
  p.pass = Pass::bwd;
  return p;
}

bool compares(const Declares& subject, const char* output, Index row, Schedule schedule,
              Unit unit = Unit::h100) {
  const Problem p = banded();
  const Inputs inputs = zero_inputs(p);
  const Answer answer(p);
  const Outputs outputs = poisoned_outputs(p);
  const RunSettings settings{unit};
  const LawContext context{p, inputs, answer, subject, settings, outputs};
  const RowFilter promised = promised_rows(context, schedule);
  for (const NamedOutput& named : named_outputs(outputs)) {
    if (named.name == output) return promised(named, 0, row);
  }
  ADD_FAILURE() << output;
  return false;
}

Semantics all_fixed() {
  Semantics semantics;
  semantics.dead_o = DeadO::zero;
  semantics.dead_lse = DeadLse::minus_inf;
  semantics.beyond_lengths = BeyondLengths::zero;
  return semantics;
}

constexpr DqSum kAtomic{DqSum::Kind::atomic, 16};
constexpr DqSum kOrdered{DqSum::Kind::ordered, 16};

TEST(PromisedRows, AreAllWhereNothingIsLeftOpen) {
  const Declares subject(all_fixed(), kOrdered);
  for (const char* output : {"o", "lse", "dq", "dk", "dv"}) {
    for (Index row = 0; row < 2; ++row) {
      EXPECT_TRUE(compares(subject, output, row, Schedule::other)) << output << row;
    }
  }
  EXPECT_TRUE(compares(subject, "o", 2, Schedule::other));
}

TEST(PromisedRows, LeaveOutDeadRowsAndRowsBeyondALengthThatNoConventionFixes) {
  const Declares subject(Semantics{}, kOrdered);
  EXPECT_FALSE(compares(subject, "o", 0, Schedule::same));
  EXPECT_FALSE(compares(subject, "lse", 0, Schedule::same));
  EXPECT_TRUE(compares(subject, "dq", 0, Schedule::same));  // 0 by mathematics
  EXPECT_TRUE(compares(subject, "o", 1, Schedule::same));
  EXPECT_FALSE(compares(subject, "o", 2, Schedule::same));
  EXPECT_TRUE(compares(subject, "dk", 0, Schedule::same));
  EXPECT_FALSE(compares(subject, "dk", 1, Schedule::same));
}

TEST(PromisedRows, LeaveOutAnAtomicDqUnlessTheScheduleIsRepeated) {
  for (const auto& dq_sum : {std::optional(kAtomic), std::optional<DqSum>()}) {
    const Declares subject(all_fixed(), dq_sum);
    EXPECT_FALSE(compares(subject, "dq", 1, Schedule::other));
    EXPECT_TRUE(compares(subject, "dq", 1, Schedule::same));
    EXPECT_FALSE(compares(subject, "dq", 1, Schedule::same, Unit::device));
    EXPECT_TRUE(compares(subject, "dk", 0, Schedule::other));
  }
}

}  // namespace
}  // namespace attest::promised_rows_test
