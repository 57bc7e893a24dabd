// envelope: a head dimension beyond those that cases have is declined, or computed right. A subject
// that accepts what it has no code for, drops a launch or cuts columns off shows here. Three
// queries and three keys do.
#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
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
  const Case gaussian{large, FamilyData{"F0", seed}};
  const Inputs inputs = materialise(gaussian);
  Answer answer = enclose_forward(large, inputs, kFirstPrecision);
  const std::string setting = "in " + to_string(gaussian);
  LawOutcome outcome = judge_by_own_answer(c, large, inputs, answer, setting);
  outcome.setting = setting;
  return outcome;
}

}  // namespace attest
