// envelope: a head dimension beyond those that cases have is declined, or computed right. A subject
// that accepts what it has no code for, drops a launch or cuts columns off shows here. Three
// queries and three keys do.
#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/own_answer.hpp"

namespace attest {
namespace {

constexpr Index kDims[] = {257, 264, 320, 512};

Problem large_heads(const LawContext& c, std::uint64_t seed) {
  const RandomBits bits = random_bits(seed, {kDrawOfLaw, 12, 0, 0, 0});
  Problem p;
  p.n_q = p.n_k = 3;
  p.d_qk = kDims[bits[0] % std::size(kDims)];
  p.d_v = bits[1] % 2 == 0 ? p.d_qk : 1 + bits[2] % p.d_qk;
  p.in = c.problem.in;
  p.out = c.problem.out;
  p.scale = default_scale(p.d_qk);
  p.align = Align::top_left;
  p.pass = c.problem.pass;
  return p;
}

}  // namespace

LawOutcome check_envelope(const LawContext& c) {
  if (!has_outputs(c.problem)) return not_applicable();
  const std::uint64_t seed = seed_of(c.problem, c.inputs);
  const Problem large = large_heads(c, seed);
  if (c.subject.unsupported(large, c.settings.unit)) return {};  // declined
  Inputs inputs = zero_inputs(large);
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_gaussian(inputs.v, kTensorV, seed);
  fill_gaussian(inputs.dout, kTensorDout, seed);
  Answer answer = enclose_forward(large, inputs, kFirstPrecision);
  const std::string setting = "3 queries and keys with d_qk=" + std::to_string(large.d_qk) +
                              ", d_v=" + std::to_string(large.d_v);
  LawOutcome outcome = judge_by_own_answer(c, large, inputs, answer, "on " + setting);
  outcome.setting = setting;
  return outcome;
}

}  // namespace attest
