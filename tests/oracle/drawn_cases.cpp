#include "tests/oracle/drawn_cases.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kSeed = 20240611;

// A number that depends on the case and on what it is for.
Index pick(std::uint64_t index, std::uint32_t purpose, Index least, Index most) {
  const double u = uniform(kSeed + index, {99, 0, 0, 0, purpose});
  return least + static_cast<Index>(u * static_cast<double>(most - least + 1));
}

std::vector<Index> lengths(std::uint64_t index, std::uint32_t purpose, Index batch, Index full) {
  std::vector<Index> result;
  for (Index b = 0; b < batch; ++b) {
    result.push_back(pick(index, purpose + static_cast<std::uint32_t>(b), 0, full));
  }
  return result;
}

Problem draw_problem(std::uint64_t index, Format format) {
  Problem p;
  p.in = p.out = format;
  p.batch = pick(index, 0, 1, 2);
  p.heads_k = pick(index, 1, 1, 2);
  p.heads_q = p.heads_k * pick(index, 2, 1, 3);
  p.n_q = pick(index, 3, 1, 9);
  const Index key_counts[] = {0, 1, 2, 7, 16, 17, 33};
  p.n_k = key_counts[pick(index, 4, 0, 6)];
  p.d_qk = pick(index, 5, 1, 12);
  p.d_v = pick(index, 6, 1, 5);
  p.scale = pick(index, 7, 0, 1) == 0 ? default_scale(p.d_qk) : 0.7f;
  if (pick(index, 8, 0, 2) > 0) p.left = pick(index, 9, -3, 12);
  if (pick(index, 10, 0, 2) > 0) p.right = pick(index, 11, -3, 12);
  p.align = pick(index, 12, 0, 1) == 0 ? Align::top_left : Align::bottom_right;
  if (pick(index, 13, 0, 2) == 0) p.lq = lengths(index, 20, p.batch, p.n_q);
  if (pick(index, 14, 0, 2) == 0) p.lk = lengths(index, 30, p.batch, p.n_k);
  return p;
}

// One value, before rounding to the format. `x` is Gaussian.
double value_of(ValueKind kind, Format format, const Coordinates& at, double x) {
  const bool is_q = at.tensor == kTensorQ;
  const bool is_v = at.tensor == kTensorV;
  switch (kind) {
    case ValueKind::gaussian: return x;
    case ValueKind::ties:
      // The same two rows of K again and again, so whole groups of scores are equal.
      return is_q || is_v ? x : (at.row % 2 == 0 ? 0.5 : -0.25);
    case ValueKind::offset:
      if (is_v) return x;
      return at.column == 0 ? 1000 : x;
    case ValueKind::cancelling:
      if (is_v) return x;
      if (is_q) return 60;
      return (at.column % 2 == 0 ? 500 : -500) + x / 64;
    case ValueKind::deep_negative:
      if (is_v) return x;
      return is_q ? -20 : 20 + std::floor(4 * x);
    case ValueKind::subnormal:
      if (is_v && format == Format::f64) return x;
      return std::floor(16 * x) * smallest_subnormal(format);
    case ValueKind::one_hot:
      if (is_v) return x;
      return 2000 * x;
    case ValueKind::wide:
      return std::ldexp(x, static_cast<int>(at.row * 7 + at.column * 13) % 29 - 14);
  }
  return x;
}

void fill(Tensor& tensor, std::uint32_t id, std::uint64_t index, ValueKind kind) {
  const TensorView view = tensor.view();
  const auto u32 = [](Index n) { return static_cast<std::uint32_t>(n); };
  for (Index b = 0; b < view.extents[0]; ++b) {
    for (Index h = 0; h < view.extents[1]; ++h) {
      for (Index row = 0; row < view.extents[2]; ++row) {
        for (Index column = 0; column < view.extents[3]; ++column) {
          const Coordinates at{id, u32(b), u32(h), u32(row), u32(column)};
          const double value = value_of(kind, view.format, at, gaussian(kSeed + index, at));
          const double largest = largest_finite(view.format);
          view.set_bits(b, h, row, column,
                        round_to_bits(view.format, std::clamp(value, -largest, largest)));
        }
      }
    }
  }
}

}  // namespace

Inputs draw_values(const Problem& problem, ValueKind kind, std::uint64_t index) {
  Inputs inputs = zero_inputs(problem);
  fill(inputs.q, kTensorQ, index, kind);
  fill(inputs.k, kTensorK, index, kind);
  fill(inputs.v, kTensorV, index, kind);
  return inputs;
}

DrawnCase draw_oracle_case(std::uint64_t index) {
  return draw_oracle_case(index, kFormats[index % 4]);
}

DrawnCase draw_oracle_case(std::uint64_t index, Format format) {
  DrawnCase drawn;
  drawn.problem = draw_problem(index, format);
  drawn.kind = static_cast<ValueKind>(index / 4 % kValueKinds);
  drawn.inputs = draw_values(drawn.problem, drawn.kind, index);
  return drawn;
}

}  // namespace attest
