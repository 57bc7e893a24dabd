// Goal: laws that lay tensors out by themselves accept every healthy form in both passes, and name
// the tensor of whoever writes beside its outputs or leaves an element alone.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/laws/laws.hpp"
#include "tests/harness/stand_in.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::placed_law_test {
namespace {

Problem problem_of(Pass pass, Format format = Format::f16) {
  Problem p;
  p.batch = 2;
  p.heads_q = 4;
  p.heads_k = 2;
  p.n_q = 3;
  p.n_k = 21;
  p.d_qk = p.d_v = 5;
  p.in = p.out = format;
  p.right = 0;
  p.lk = {21, 9};
  p.pass = pass;
  p.lse_gradient = pass == Pass::bwd;
  return p;
}

using Check = LawOutcome (*)(const LawContext&);

LawOutcome check(Check law, const Subject& subject, const Problem& p) {
  const Inputs inputs = gaussian_inputs(p, 1);
  const Answer unasked(p);  // these laws need none
  const RunSettings settings;
  const Execution run = execute(subject, p, inputs, settings);
  return law({p, inputs, unasked, subject, settings, run.outputs});
}

TEST(PlacedLaw, AcceptsEveryHealthyForm) {
  for (const Check law : {check_layout, check_write_coverage, check_head_isolation}) {
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      for (const PlainForm& form : plain_forms()) {
        const auto plain = make_plain("plain", form.config);
        for (const Format format : {Format::f16, Format::bf16, Format::f32}) {
          const LawOutcome outcome = check(law, *plain, problem_of(pass, format));
          EXPECT_TRUE(outcome.applicable);
          EXPECT_EQ(outcome.verdict, Verdict::accept) << form.name << ": " << outcome.detail;
        }
      }
    }
  }
}

// The element behind the last one, as the views have it.
void write_behind(const TensorView& view) {
  const auto [batch, heads, rows, columns] = view.extents;
  std::byte* const last = view.at(batch - 1, heads - 1, rows - 1, columns - 1);
  std::memset(last + bytes_of(view.format), 0x11, static_cast<std::size_t>(bytes_of(view.format)));
}

TEST(PlacedLaw, RejectsAWriteBehindTheLastElementAndNamesTheTensor) {
  // The case's own run must not have a foreign byte overwritten: it goes wrong from then on.
  int runs = 0;
  StandInParts parts;
  parts.when = [&](const RunSettings&) { return ++runs > 1; };
  parts.spoil = [](const Problem&, const ForwardOutputs& out) { write_behind(out.o); };
  const StandIn subject(parts);
  const LawOutcome outcome = check(check_write_coverage, subject, problem_of(Pass::fwd));
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_EQ(outcome.detail, "bytes around o were written");
}

TEST(PlacedLaw, RejectsWhatIsLeftAloneAndSaysWhere) {
  const auto tail = kernel_of_canary("canary/m06-unwritten-tail");
  const LawOutcome outcome = check(check_write_coverage, *tail, problem_of(Pass::bwd));
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_NE(outcome.detail.find("dk[b=1 h=0 j=9 d=0] was 7eda and is 3c00"), std::string::npos)
      << outcome.detail;
}

TEST(PlacedLaw, RejectsADenseReadingOfDout) {
  const auto dense = kernel_of_canary("canary/m19-dout-stride-ignored");
  const LawOutcome outcome = check(check_layout, *dense, problem_of(Pass::bwd));
  EXPECT_EQ(outcome.verdict, Verdict::reject);
  EXPECT_NE(outcome.detail.find("dout "), std::string::npos) << outcome.detail;
  // dO = 1 as one element shows it whatever the drawn layouts are.
  Problem small = problem_of(Pass::bwd);
  for (const Index n_k : {20, 19, 18, 17}) {
    small.n_k = n_k;
    small.lk.clear();
    EXPECT_EQ(check(check_layout, *dense, small).verdict, Verdict::reject) << n_k;
  }
}

}  // namespace
}  // namespace attest::placed_law_test
