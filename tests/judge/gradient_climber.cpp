#include "tests/judge/gradient_climber.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/judge/dice.hpp"

namespace attest {
namespace {

struct Exponents {
  int qk = 0;
  int v = 0;
  int dout = 0;
};

struct Climber {
  BackwardRun run;
  Exponents exponents;
};

std::uint64_t new_bits(Format format, int exponent, ClimbDice& dice) {
  const double sign = dice.one_in(2) ? -1 : 1;
  const double largest = largest_finite(format);
  switch (dice.below(16)) {
    case 0: return finite_bits(format, dice);
    case 1: return round_to_bits(format, 0);
    case 2: return round_to_bits(format, sign * std::ldexp(1.0, exponent));
    case 3:
      return round_to_bits(
          format, sign * dice.any_of({1.0, smallest_normal(format), smallest_subnormal(format)}));
    default: break;
  }
  const double x = std::ldexp(static_cast<double>(dice.below(1 << 24)), exponent - 24);
  return round_to_bits(format, sign * std::min(x, largest));
}

void renew(Tensor& tensor, int exponent, ClimbDice& dice) {
  renew(tensor, dice, [&] { return new_bits(tensor.format(), exponent, dice); });
}

// A declaration drawn field by field, of what the format of the inputs allows.
Numerics draw_numerics(const Problem& p, ClimbDice& dice) {
  const bool narrow = p.in != Format::f32;
  Numerics n = exact_backward();
  n.unit = narrow
               ? dice.any_of({Unit::fp32_seq, Unit::exact_rn, Unit::v100, Unit::a100, Unit::h100})
               : Unit::fp32_seq;
  if (dice.one_in(3)) n.scale_at = ScaleAt{p.in};
  n.c = dice.any_of({ConstantRounding::once, ConstantRounding::log2e_first});
  if (dice.one_in(5)) n.s_store = dice.any_of({ScoreStore::f16, ScoreStore::bf16});
  n.exponent = dice.any_of(
      {Exponent::difference_first, Exponent::scaled_max, Exponent::product_first, Exponent::fused});
  n.exp2 = dice.one_in(2) ? 0x1.00001p-24 : 0x1.4p-22;
  n.exp_ftz = dice.one_in(2);
  n.ftz = dice.one_in(3);
  // A unit of 16-bit operands takes P and dS in the format of its other operand.
  const bool wide = n.unit == Unit::fp32_seq && dice.one_in(2);
  n.p_format = n.ds_format = wide || !narrow ? Format::f32 : p.in;
  if (!narrow && dice.one_in(2)) n.p_format = dice.any_of({Format::f16, Format::bf16});
  if (!narrow && dice.one_in(2)) n.ds_format = dice.any_of({Format::f16, Format::bf16});
  n.p_truncated = dice.one_in(4);
  n.o_format = p.out;
  n.o_rounding = dice.one_in(4) ? Rounding::toward_zero : Rounding::nearest_even;
  n.d_source = dice.any_of({DSource::stored_o, DSource::f32_o, DSource::p_dp});
  n.p_in_ds = dice.any_of({PInDs::f32, PInDs::rounded});
  n.dq_sum = DqSum{dice.any_of({DqSum::Kind::one_chain, DqSum::Kind::ordered, DqSum::Kind::atomic}),
                   dice.any_of<Index>({1, 2, 7, 16})};
  n.tile_q = dice.any_of<Index>({1, 2, 7, 16});
  // The emulation's exact sums have 64 bits, no match for a rule that has all of them.
  if (n.unit != Unit::exact_rn && dice.one_in(2)) n.dot_order = DotOrder::ascending;
  if (dice.one_in(3)) {
    n.group_sum = GroupSum{dice.any_of({Format::f32, Format::f16, Format::bf16})};
  }
  return n;
}

Problem draw_problem(ClimbDice& dice) {
  Problem p;
  p.pass = Pass::bwd;
  p.in = dice.any_of({Format::f32, Format::f16, Format::bf16});
  p.out = dice.any_of({Format::f32, p.in});
  p.heads_q = dice.any_of<Index>({1, 1, 2, 3});
  p.n_q = dice.between(1, 4);
  p.n_k = dice.between(1, 10);
  p.d_qk = dice.between(1, 4);
  p.d_v = dice.between(1, 4);
  if (dice.one_in(4)) p.right = 0;
  p.lse_gradient = dice.one_in(4);
  return p;
}

Climber start(ClimbDice& dice) {
  Climber c;
  BackwardRun& run = c.run;
  run.p = draw_problem(dice);
  run.how = draw_numerics(run.p, dice);
  run.exp2_error = *run.how.exp2 < 0x1p-23
                       ? Exp2Error::none
                       : dice.any_of({Exp2Error::up, Exp2Error::down, Exp2Error::mixed});
  // Scores of some size from products of any size: scale q k is about 2^-3 to 2^8.
  const int emax = std::min(shape_of(run.p.in).emax, 40);
  c.exponents.qk = dice.one_in(2) ? static_cast<int>(dice.between(-3, 3))
                                  : static_cast<int>(dice.between(-emax, emax - 6));
  const auto aim = static_cast<int>(dice.between(-3, 8));
  const int power =
      run.how.scale_at->q ? std::min(0, aim - 2 * c.exponents.qk) : aim - 2 * c.exponents.qk;
  run.p.scale = std::ldexp(1 + static_cast<float>(dice.below(1024)) / 1024, power);
  if (run.how.scale_at->q && run.p.scale > 1) run.p.scale = 1;
  run.inputs = zero_inputs(run.p);
  renew(run.inputs.q, c.exponents.qk, dice);
  renew(run.inputs.k, c.exponents.qk, dice);
  c.exponents.v = dice.one_in(2) ? 0 : static_cast<int>(dice.between(-emax, emax / 2));
  c.exponents.dout = dice.one_in(2) ? 0 : static_cast<int>(dice.between(-emax, emax / 2));
  renew(run.inputs.v, c.exponents.v, dice);
  renew(run.inputs.dout, c.exponents.dout, dice);
  if (run.p.lse_gradient) renew(run.inputs.glse, c.exponents.dout + c.exponents.v, dice);
  const auto share = [&] { return dice.any_of({-0.999, 0.0, 0.999}); };
  run.off = {share(), share(), dice.one_in(2)};
  if (dice.one_in(6)) run.off.lse_shift = dice.any_of({-30.0, -0.5, 0.5, 8.0});
  return c;
}

// One element changed: anew, to a neighbour, in sign, or to another element's value.
void change(Tensor& tensor, int exponent, ClimbDice& dice) {
  const Extents& e = tensor.extents();
  const auto any = [&](int axis) { return dice.between(0, e[static_cast<std::size_t>(axis)] - 1); };
  const Index h = any(1);
  const Index row = any(2);
  const Index column = any(3);
  const TensorView view = tensor.view();
  const std::uint64_t old = view.bits(0, h, row, column);
  const int width = shape_of(tensor.format()).bits;
  std::uint64_t bits = old;
  switch (dice.below(6)) {
    case 0:
    case 1: bits = new_bits(tensor.format(), exponent, dice); break;
    case 2: bits = old ^ std::uint64_t{1} << dice.below(8); break;
    case 3: bits = old ^ std::uint64_t{1} << (width - 1); break;
    case 4: bits = view.bits(0, any(1), any(2), any(3)); break;
    default: bits = old + (dice.one_in(2) ? 1 : ~std::uint64_t{0}); break;
  }
  bits &= (std::uint64_t{1} << width) - 1;
  const ValueClass c = classify(tensor.format(), bits);
  if (c != ValueClass::nan && c != ValueClass::infinite) view.set_bits(0, h, row, column, bits);
}

void mutate(Climber& c, ClimbDice& dice) {
  Inputs& inputs = c.run.inputs;
  for (int n = 0; n == 0 || dice.one_in(3); ++n) {
    switch (dice.below(9)) {
      case 0:
      case 1: change(inputs.q, c.exponents.qk, dice); break;
      case 2:
      case 3: change(inputs.k, c.exponents.qk, dice); break;
      case 4:
      case 5: change(inputs.v, c.exponents.v, dice); break;
      case 6:
        if (c.run.p.lse_gradient) {
          change(inputs.glse, c.exponents.dout + c.exponents.v, dice);
          break;
        }
        [[fallthrough]];
      default: change(inputs.dout, c.exponents.dout, dice); break;
    }
  }
}

double height_in(const Judgement& j, int tensor) {
  return tensor == 0 ? j.dq.worst_ratio : tensor == 1 ? j.dk.worst_ratio : j.dv.worst_ratio;
}

void count_replay(const Climber& c, const Judgement& replay, ClimbResult& result) {
  for (const TensorJudgement* tensor : replay.tensors()) {
    result.replayed += tensor->judged;
    result.single += tensor->single;
  }
  if (replay.verdict() == Verdict::accept || !result.rejected.empty()) return;
  result.rejected = "by replay " + describe(c.run, replay);
}

// Judges one climber and returns its height; false in `holds` when it is not accepted.
double climb_to(const Climber& c, int view, int tensor, ClimbResult& result) {
  const JudgedGradients judged = judge_scalar(c.run);
  const std::array<const Judgement*, 2> views{&judged.end_to_end, &judged.stage_wise};
  for (std::size_t v = 0; v < 2; ++v) {
    const Judgement& j = *views[v];
    for (int t = 0; t < 3; ++t) {
      double& best = result.best[v][static_cast<std::size_t>(t)];
      best = std::max(best, height_in(j, t));
    }
    result.judged += j.judged();
    result.unbounded += j.dq.unbounded + j.dk.unbounded + j.dv.unbounded;
    if (j.verdict() != Verdict::accept && result.rejected.empty()) {
      result.rejected = (v == 0 ? "end to end " : "stage by stage ") + describe(c.run, j);
    }
  }
  count_replay(c, judged.replay, result);
  return height_in(*views[static_cast<std::size_t>(view)], tensor);
}

}  // namespace

ClimbResult climb_gradients(std::uint64_t seed, int starts, int steps) {
  ClimbDice dice(seed);
  ClimbResult result;
  for (int n = 0; n < starts && result.rejected.empty(); ++n) {
    Climber best = start(dice);
    const int view = best.run.off.lse_shift != 0 ? 1 : n % 2;
    const int tensor = n / 2 % 3;
    double height = climb_to(best, view, tensor, result);
    for (int step = 0; step < steps && result.rejected.empty(); ++step) {
      Climber next = best;
      mutate(next, dice);
      const double reached = climb_to(next, view, tensor, result);
      if (reached < height) continue;
      height = reached;
      best = std::move(next);
    }
  }
  return result;
}

}  // namespace attest
