#include "properties/probing/variants.hpp"

#include <algorithm>

namespace attest {
namespace {

// Sets every element of `to` to write(b, h, row, column).
template <class Write>
void fill(Tensor& to, Write write) {
  const TensorView view = to.view();
  const auto [batch, heads, rows, columns] = to.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          view.set_bits(b, h, row, column, write(b, h, row, column));
        }
      }
    }
  }
}

void reshape(const Tensor& from, Tensor& to, Filling filling) {
  const Extents& have = from.extents();
  if (from.size() == 0) return;
  const ConstTensorView view = from.view();
  fill(to, [&](Index b, Index h, Index row, Index column) -> std::uint64_t {
    const bool inside = b < have[0] && h < have[1] && row < have[2] && column < have[3];
    if (!inside && filling == Filling::zeros) return 0;
    return view.bits(b % have[0], h % have[1], row % have[2], column % have[3]);
  });
}

Tensor rounded(const Tensor& from, Format format) {
  Tensor to(format, from.extents());
  const ConstTensorView view = from.view();
  fill(to, [&](Index b, Index h, Index row, Index column) {
    return round_to_bits(format, view.value(b, h, row, column));
  });
  return to;
}

}  // namespace

Inputs reshaped(const Inputs& inputs, const Problem& problem, Filling filling) {
  Inputs result = zero_inputs(problem);
  reshape(inputs.q, result.q, filling);
  reshape(inputs.k, result.k, filling);
  reshape(inputs.v, result.v, filling);
  reshape(inputs.dout, result.dout, filling);
  reshape(inputs.glse, result.glse, filling);
  return result;
}

Inputs converted(const Inputs& inputs, Format in) {
  Inputs result = inputs;
  for (const auto tensor : {&Inputs::q, &Inputs::k, &Inputs::v, &Inputs::dout}) {
    result.*tensor = rounded(inputs.*tensor, in);
  }
  return result;
}

Tensor scaled(const Tensor& tensor, double factor) {
  Tensor result(tensor.format(), tensor.extents());
  const ConstTensorView view = tensor.view();
  fill(result, [&](Index b, Index h, Index row, Index column) {
    return round_to_bits(tensor.format(), factor * view.value(b, h, row, column));
  });
  return result;
}

Problem with_size(const Problem& problem, Index Problem::*size, Index value) {
  Problem p = problem;
  p.*size = value;
  for (std::vector<Index> Problem::*lengths : {&Problem::lq, &Problem::lk}) {
    std::vector<Index>& now = p.*lengths;
    if (now.empty()) continue;
    const std::vector<Index> had = now;
    now.resize(static_cast<std::size_t>(p.batch));
    for (std::size_t b = 0; b < now.size(); ++b) now[b] = had[b % had.size()];
  }
  for (Index& length : p.lq) length = std::min(length, p.n_q);
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  return p;
}

}  // namespace attest
