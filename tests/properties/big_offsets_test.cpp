// Goal: a subject that computes offsets in 64 bits passes whatever is read or written, the one that
// truncates them is caught with the tensor named, and neither needs memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/sparse_tensor.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::big_offsets_test {
namespace {

Problem problem_of(Index batch, Index heads, Pass pass) {
  Problem p;
  p.batch = batch;
  p.heads_q = p.heads_k = heads;
  p.n_q = 3;
  p.n_k = 5;
  p.d_qk = p.d_v = 4;
  p.right = 0;
  p.pass = pass;
  p.lse_gradient = pass == Pass::bwd;
  return p;
}

LawOutcome check(const Subject& subject, const Problem& p) {
  const Inputs inputs = gaussian_inputs(p, 1);
  const Answer unasked(p);  // the law needs none
  const RunSettings settings;
  const Execution run = execute(subject, p, inputs, settings);
  return check_big_offsets({p, inputs, unasked, subject, settings, run.outputs});
}

TEST(SparseTensor, HoldsTheElementsFarApart) {
  Problem p = problem_of(2, 3, Pass::fwd);
  const Tensor dense = gaussian_inputs(p, 2).k;
  const SparseTensor by_entries(dense, true);
  ASSERT_TRUE(by_entries.apart());
  EXPECT_EQ(by_entries.dense(), dense);
  EXPECT_EQ(by_entries.view().at(1, 0, 0, 0) - by_entries.view().at(0, 0, 0, 0),
            2 * SparseTensor::kStride);
  EXPECT_EQ(by_entries.view().strides[1], 5 * 4);
  p.batch = 1;
  const SparseTensor by_heads(gaussian_inputs(p, 2).k, true);
  EXPECT_EQ(by_heads.view().strides[1], SparseTensor::kStride);
  EXPECT_FALSE(SparseTensor(dense, false).apart());
  EXPECT_FALSE(SparseTensor(gaussian_inputs(problem_of(1, 1, Pass::fwd), 2).k, true).apart());
}

TEST(SparseTensor, HoldsZerosWhereverATruncatedOffsetLeads) {
  const SparseTensor tensor(gaussian_inputs(problem_of(3, 1, Pass::fwd), 3).q, true);
  for (const Index entry : {1, 2}) {
    const Index offset = entry * SparseTensor::kStride;
    const auto element = Index{static_cast<std::int32_t>(offset)};
    const auto byte = Index{static_cast<std::int32_t>(2 * offset)};
    const auto unsigned_byte = Index{static_cast<std::uint32_t>(2 * offset)};
    for (const Index at :
         {2 * element, 2 * Index{static_cast<std::uint32_t>(offset)}, byte, unsigned_byte}) {
      const bool others = at >= 0 && at < 2 * 3 * 4;  // of entry 0
      EXPECT_TRUE(others || tensor.view().data[at] == std::byte{0}) << at;
    }
  }
}

TEST(BigOffsetsLaw, AcceptsWhatComputesIn64Bits) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const PlainForm& form : plain_forms()) {
      const auto plain = make_plain("plain", form.config);
      for (const auto& [batch, heads] : {std::pair<Index, Index>{2, 1}, {1, 3}, {3, 2}}) {
        const LawOutcome outcome = check(*plain, problem_of(batch, heads, pass));
        EXPECT_TRUE(outcome.applicable);
        EXPECT_EQ(outcome.verdict, Verdict::accept) << form.name << ": " << outcome.detail;
      }
      EXPECT_FALSE(check(*plain, problem_of(1, 1, pass)).applicable);
    }
  }
}

TEST(BigOffsetsLaw, RejectsTruncatedOffsetsAndNamesTheTensor) {
  const auto found = std::ranges::find(canaries(), "canary/m07-int32-offset", &Canary::name);
  ASSERT_NE(found, canaries().end());
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const auto& [batch, heads] : {std::pair<Index, Index>{2, 1}, {1, 2}}) {
      const LawOutcome outcome = check(*found->make(), problem_of(batch, heads, pass));
      EXPECT_EQ(outcome.verdict, Verdict::reject);
      EXPECT_NE(outcome.detail.find("elements apart in v"), std::string::npos) << outcome.detail;
    }
  }
}

}  // namespace
}  // namespace attest::big_offsets_test
