// Goal: outputs that were computed elsewhere get the verdict that the same outputs of a subject
// get.
#include <gtest/gtest.h>

#include <fstream>

#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/recorded_call.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::judge_command_test {
namespace {

// What the scalar kernel computes of drawn values, and declares.
RecordedCall plain_call(Pass pass) {
  Problem p;
  p.n_q = 5;
  p.n_k = 9;
  p.d_qk = p.d_v = 3;
  p.right = 0;
  p.pass = pass;
  const Inputs inputs = materialise({p, FamilyData{"F0", 3}});
  const Subject& plain = *resolve_subjects(std::vector<std::string>{"plain"}).front();
  const Execution run = execute(plain, p, inputs, {Unit::fp32_seq});
  const Outputs& out = run.outputs;
  return {p,
          plain.numerics(p, Unit::fp32_seq),
          plain.semantics(),
          inputs,
          out.o,
          out.lse,
          out.dq,
          out.dk,
          out.dv};
}

Ran judged(const Attest& attest, const std::string& record) {
  std::ofstream(attest.folder() / "record") << record;
  return attest.run({"judge", "record"});
}

TEST(JudgeCommand, AcceptsWhatAHealthyKernelWrote) {
  const Attest attest;
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const Ran ran = judged(attest, to_string(plain_call(pass)));
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_TRUE(holds(line_beginning(ran.out, "accuracy"), "accept  worst ratio 0."));
    EXPECT_EQ(holds(ran.out, "stage_accuracy"), pass == Pass::bwd);
  }
}

TEST(JudgeCommand, RejectsAChangedElementWithItsReport) {
  const Attest attest;
  RecordedCall call = plain_call(Pass::bwd);
  const TensorView dk = call.dk.view();
  dk.set_bits(0, 0, 2, 1, dk.bits(0, 0, 2, 1) ^ 0x400);
  const Ran ran = judged(attest, to_string(call));
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(line_beginning(ran.out, "REJECT"),
                    "outputs f16 fp32-seq  law gradient_accuracy  element dk[b=0 h=0 j=2 d=1]"))
      << ran.out;
  EXPECT_NE(line_beginning(ran.out, "  exact in"), "");
  EXPECT_EQ(line_beginning(ran.out, "  again"), "");  // there is nobody to ask again
}

TEST(JudgeCommand, SaysWhatNobodyDeclared) {
  const Attest attest;
  RecordedCall call = plain_call(Pass::fwd);
  call.numerics = {};
  const Ran ran = judged(attest, to_string(call));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(holds(line_beginning(ran.out, "assumed at their worst"), " exponent"));
}

TEST(JudgeCommand, ReadsStandardInput) {
  const Attest attest;
  std::ofstream(attest.folder() / "record") << to_string(plain_call(Pass::fwd));
  const Ran ran = attest.paste("attest judge < record");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST(JudgeCommand, BlamesTheUserForWhatIsNoRecord) {
  const Attest attest;
  EXPECT_EQ(judged(attest, "nonsense").status, 2);
  EXPECT_EQ(attest.run({"judge", "nowhere"}).status, 2);
}

TEST(JudgeCommand, SaysWhatConventionIsNotJudgedYet) {
  const Attest attest;
  RecordedCall call = plain_call(Pass::fwd);
  call.semantics.lse_base = LseBase::two;
  const Ran ran = judged(attest, to_string(call));
  EXPECT_EQ(ran.status, 5) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.err, "an LSE in base 2 is not judged yet")) << ran.err;
}

}  // namespace
}  // namespace attest::judge_command_test
