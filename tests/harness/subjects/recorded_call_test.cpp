// Goal: a record reads back to the call that it was written from, whatever the pass and the
// formats, and whatever is wrong with one is refused with its line.
#include "harness/subjects/recorded_call.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest::recorded_call_test {
namespace {

Tensor counted(Format format, const Extents& extents, int from) {
  Tensor tensor(format, extents);
  for (std::byte& byte : tensor.bytes()) byte = static_cast<std::byte>(from += 37);
  return tensor;
}

RecordedCall backward_call() {
  RecordedCall call;
  Problem& p = call.problem;
  p.heads_q = 2;
  p.n_q = 3;
  p.d_v = 2;
  p.in = Format::bf16;
  p.out = Format::f32;
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  call.numerics.exponent = Exponent::fused;
  call.semantics.dead_o = DeadO::zero;
  call.inputs = {counted(p.in, p.q_extents(), 1), counted(p.in, p.k_extents(), 2),
                 counted(p.in, p.v_extents(), 3), counted(p.in, p.o_extents(), 4),
                 counted(Format::f32, p.lse_extents(), 5)};
  call.o = counted(p.out, p.o_extents(), 6);
  call.lse = counted(Format::f32, p.lse_extents(), 7);
  call.dq = counted(p.out, p.q_extents(), 8);
  call.dk = counted(p.out, p.k_extents(), 9);
  call.dv = counted(p.out, p.v_extents(), 10);
  return call;
}

const std::string kProblem =
    "problem attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;"
    "right=inf;align=br;pass=fwd\n";
const std::string kForward =
    "attest.call/1\n" + kProblem + "q 3c00\nk 4000\nv 4200\no 4200\nlse 40000000\n";

std::string without(const std::string& text, const std::string& line) {
  std::string shorter = text;
  return shorter.erase(text.find(line), line.size());
}

TEST(RecordedCall, ReadsBackWhatWasWritten) {
  const RecordedCall call = backward_call();
  const RecordedCall again = read_recorded_call(to_string(call));
  EXPECT_EQ(again.problem, call.problem);
  EXPECT_EQ(again.numerics, call.numerics);
  EXPECT_EQ(again.semantics, call.semantics);
  const Inputs &in = call.inputs, &in_again = again.inputs;
  EXPECT_EQ(in_again.q, in.q);
  EXPECT_EQ(in_again.k, in.k);
  EXPECT_EQ(in_again.v, in.v);
  EXPECT_EQ(in_again.dout, in.dout);
  EXPECT_EQ(in_again.glse, in.glse);
  EXPECT_EQ(again.o, call.o);
  EXPECT_EQ(again.lse, call.lse);
  EXPECT_EQ(again.dq, call.dq);
  EXPECT_EQ(again.dk, call.dk);
  EXPECT_EQ(again.dv, call.dv);
}

TEST(RecordedCall, ReadsAnElementFromItsMostSignificantDigit) {
  const RecordedCall call = read_recorded_call(kForward);
  EXPECT_EQ(call.inputs.q.view().value(0, 0, 0, 0), 1);
  EXPECT_EQ(call.inputs.k.view().value(0, 0, 0, 0), 2);
  EXPECT_EQ(call.o.view().value(0, 0, 0, 0), 3);
  EXPECT_EQ(call.lse.view().value(0, 0, 0, 0), 2);
}

TEST(RecordedCall, MayDeclareNothing) {
  EXPECT_EQ(read_recorded_call(kForward + "numerics \nsemantics\n").numerics, Numerics{});
  EXPECT_EQ(read_recorded_call(kForward).semantics, Semantics{});
}

TEST(RecordedCall, IsRefusedWithTheLineThatIsWrong) {
  const struct {
    std::string text, says;
  } rows[] = {
      {"", "line 1: it is empty"},
      {kProblem, "line 1: it begins with 'attest.call/1'"},
      {without(kForward, kProblem), "a line 'problem ...' is missing"},
      {without(kForward, "lse 40000000\n"), "a line 'lse ...' is missing"},
      {kForward + "o 4200\n", "line 8: 'o' is there twice"},
      {kForward + "dq 4200\n", "line 8: the problem has no dq"},
      {kForward + "glse 40000000\n", "line 8: the problem has no glse"},
      {kForward + "p 4200\n", "line 8: unknown line 'p'"},
      {kForward + "numerics exponent=fast\n", "line 8: numerics: "},
      {without(kForward, "00\nk"), "line 3: q has"},
      {without(kForward, "42"), "line 5: v has 2 hexadecimal digits, and its shape needs 4"},
      {"attest.call/1\nproblem attest1:b=0\n", "line 2: "},
  };
  for (const auto& row : rows) {
    const Refusal refusal = refusal_of([&] { (void)read_recorded_call(row.text); });
    EXPECT_EQ(refusal.blame, Blame::usage) << row.text;
    EXPECT_TRUE(refusal.says(row.says)) << refusal.message;
  }
  std::string strange = kForward;
  strange[strange.find("3c00")] = 'x';
  EXPECT_TRUE(refusal_of([&] {
                (void)read_recorded_call(strange);
              }).says("line 3: q has a 'x' among its digits"));
}

}  // namespace
}  // namespace attest::recorded_call_test
