#include "properties/draw.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/contract.hpp"
#include "core/random.hpp"
#include "properties/covering/granted.hpp"
#include "properties/drawn_shape.hpp"
#include "properties/families/values.hpp"
#include "properties/family.hpp"

namespace attest {
namespace {

constexpr Index kPrimes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,  41,  43,
                             47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 113, 127};
constexpr Index kDims[] = {1,  2,  3,  5,  8,  8,  16, 16, 17,  24,  32,  33,
                           40, 48, 63, 64, 64, 72, 80, 96, 100, 128, 128, 256};
constexpr Index kHeads[][2] = {{1, 1}, {1, 1}, {1, 1}, {2, 2}, {3, 1},
                               {4, 1}, {2, 1}, {4, 2}, {6, 2}, {3, 3}};

// A number of keys or queries: corners, tile edges, primes, anything, long rows. Real kernels have
// tiles of up to 64 keys, and much of their arithmetic happens only from the third tile on.
Index draw_count(Dice& dice) {
  const Index road = dice.below(20);
  if (road < 2) return dice.between(0, 2);
  if (road < 4) return 1;
  if (road < 9) {
    constexpr Index edges[] = {16, 16, 32, 32, 48, 64, 64, 96, 128};
    return dice.pick(edges) + dice.between(-1, 1);
  }
  if (road < 12) return dice.pick(kPrimes);
  if (road < 13) return dice.between(3, 64);
  return road < 14 ? dice.between(65, 128) : dice.between(129, 272);
}

void draw_shape(Dice& dice, Problem& p) {
  const auto& heads = kHeads[dice.below(std::size(kHeads))];
  p.heads_q = heads[0];
  p.heads_k = heads[1];
  p.batch = dice.one_in(3) ? dice.between(2, 3) : 1;
  p.n_k = draw_count(dice);
  p.n_q = dice.one_in(3) ? p.n_k : dice.one_in(12) ? 1 : draw_count(dice);
  p.d_qk = dice.pick(kDims);
  p.d_v = dice.one_in(2) ? p.d_qk : dice.pick(kDims);
}

void draw_band(Dice& dice, Problem& p) {
  p.align = dice.one_in(2) ? Align::top_left : Align::bottom_right;
  const Index road = dice.below(20);
  if (road < 7) return;
  if (road < 12) {
    p.right = 0;
  } else if (road < 15) {
    p.left = draw_reach(dice);
    p.right = draw_reach(dice);
  } else if (road < 17) {
    p.left = draw_reach(dice);
  } else if (road < 18) {
    p.right = dice.between(1, 40);
  } else if (dice.one_in(2)) {
    p.left = -dice.between(1, 5);
  } else {
    p.right = -dice.between(1, 5);
    if (dice.one_in(2)) p.left = dice.between(0, 24);
  }
}

float draw_scale(Dice& dice, Index d_qk) {
  const float usual = default_scale(d_qk);
  const Index road = dice.below(10);
  if (road == 0) return std::ldexp(1.0f, std::ilogb(usual));
  // Not the square root of anything: all 24 bits of the scale matter.
  if (road == 1) return usual * (0.75f + static_cast<float>(dice.below(4096)) * 0x1p-13f);
  return usual;
}

// Most cases are small, so that there can be many. One head may keep several tiles both of queries
// and of keys.
Index draw_limit(Dice& dice, const Problem& p) {
  const bool one_head = p.batch * p.heads_q == 1;
  if (one_head && p.n_q > 64 && p.n_k > 64) return 4'000'000;
  return dice.one_in(4) ? 2'200'000 : 1'200'000;
}

void drop_heads(Problem& p, Index limit) {
  while (work_of(p) > limit && p.batch > 1) --p.batch;
  if (work_of(p) <= limit) return;
  p.heads_q /= p.heads_k;
  p.heads_k = 1;
}

void drop_queries(Problem& p, Index limit) {
  while (work_of(p) > limit && p.n_q > 3) p.n_q -= p.n_q / 3;
}

void halve_dims(Problem& p, Index limit) {
  while (work_of(p) > limit && p.d_qk + p.d_v > 16) {
    p.d_qk = (p.d_qk + 1) / 2;
    p.d_v = (p.d_v + 1) / 2;
  }
}

// Neither many heads nor many rows are always the first to go.
void fit(Problem& p, Index limit, bool heads_first) {
  if (heads_first) drop_heads(p, limit);
  drop_queries(p, limit);
  while (work_of(p) > limit && p.batch > 2) --p.batch;
  halve_dims(p, limit);
  if (!p.lq.empty()) p.lq.resize(static_cast<std::size_t>(p.batch));
  if (!p.lk.empty()) p.lk.resize(static_cast<std::size_t>(p.batch));
  for (Index& length : p.lq) length = std::min(length, p.n_q);
}

}  // namespace

Case draw(std::uint64_t seed, std::uint64_t index, Pass pass, const Wish& wish) {
  const std::vector<const Family*> turns = families_of(pass);
  const Family& family = *turns[index / 2 % turns.size()];
  std::uint64_t case_seed = seed_of_case(seed, index);
  if (wish.attempt > 0) case_seed = seed_of_case(case_seed, wish.attempt);
  Dice dice(case_seed);
  Problem p;
  draw_shape(dice, p);
  draw_band(dice, p);
  if (dice.one_in(p.batch > 1 ? 2 : 8)) p.lk = draw_lengths(dice, p.batch, p.n_k);
  if (dice.one_in(p.batch > 1 ? 3 : 10)) p.lq = draw_lengths(dice, p.batch, p.n_q);
  p.in = index % 2 == 0 ? Format::f16 : Format::bf16;
  p.out = dice.one_in(8) ? Format::f32 : p.in;
  grant(wish.features, dice, p);
  p = family.adapt(p, case_seed);
  const bool backward = pass == Pass::bwd;
  const bool heads_first = dice.one_in(2);
  const Index limit = family.work * draw_limit(dice, p);
  const Index batch = p.batch;
  fit(p, limit, heads_first);
  // Lengths of entries that went may have been what the family was about.
  const bool changed = grant_within(wish.features, limit, dice, p) || p.batch < batch;
  if (changed) p = family.adapt(p, case_seed);
  for (Index& length : p.lq) length = std::min(length, p.n_q);
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  p.scale = draw_scale(dice, p.d_qk);
  p.pass = pass;
  p.lse_gradient = backward && dice.one_in(3);
  if (backward && wish.features[kLseGradient] != kOpen) {
    p.lse_gradient = wish.features[kLseGradient] == 1;
  }
  const std::string defect = defect_of(p);
  ATTEST_EXPECTS(defect.empty());
  return {p, FamilyData{std::string(family.name), case_seed}};
}

Inputs materialise(const Case& c) {
  ATTEST_EXPECTS(!std::holds_alternative<FileData>(c.data));
  if (const auto* inputs = std::get_if<Inputs>(&c.data)) return *inputs;
  const auto& drawn = std::get<FamilyData>(c.data);
  const Family& family = family_named(drawn.family);
  Inputs inputs = zero_inputs(c.problem);
  // Gaussian unless the family says otherwise.
  fill_gaussian(inputs.dout, kTensorDout, drawn.seed);
  fill_gaussian(inputs.glse, kTensorGlse, drawn.seed);
  family.fill(c.problem, drawn.seed, inputs);
  return inputs;
}

}  // namespace attest
