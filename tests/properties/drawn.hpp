// drawn.hpp - problems and values that the tests of families look at.
#pragma once

#include <functional>
#include <string>

#include "properties/draw.hpp"
#include "properties/family.hpp"

namespace attest {

// A square, unmasked problem with the default scale.
inline Problem open_problem(Format format, Index n_q, Index n_k, Index d) {
  Problem p;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = d;
  p.in = p.out = format;
  p.scale = default_scale(d);
  return p;
}

inline Inputs values_of(const std::string& family, const Problem& p, std::uint64_t seed) {
  return materialise({p, FamilyData{family, seed}});
}

inline double dot(const Problem& p, const Inputs& inputs, Index b, Index h, Index i, Index j) {
  const Index key_head = h / (p.heads_q / p.heads_k);
  double sum = 0;
  for (Index c = 0; c < p.d_qk; ++c) {
    sum += inputs.q.view().value(b, h, i, c) * inputs.k.view().value(b, key_head, j, c);
  }
  return sum;
}

inline double scaled_score(const Problem& p, const Inputs& inputs, Index i, Index j) {
  return p.scale * dot(p, inputs, 0, 0, i, j);
}

}  // namespace attest
