// random_problem.hpp - small problems of every shape, band, format and length, by seed.
#pragma once

#include <initializer_list>

#include "core/problem.hpp"
#include "core/random.hpp"

namespace attest {

inline Index pick(std::uint64_t seed, std::uint32_t draw, std::initializer_list<Index> choices) {
  const auto n = static_cast<double>(choices.size());
  return choices.begin()[static_cast<std::size_t>(uniform(seed, {16, 0, 0, 0, draw}) * n)];
}

inline Format pick_format(std::uint64_t seed, std::uint32_t draw) {
  constexpr Format formats[] = {Format::f16, Format::bf16, Format::f32};
  return formats[pick(seed, draw, {0, 1, 2})];
}

inline Problem random_problem(std::uint64_t seed) {
  Problem p;
  p.batch = pick(seed, 0, {1, 2});
  p.heads_k = pick(seed, 1, {1, 2, 3});
  p.heads_q = p.heads_k * pick(seed, 2, {1, 2, 3});
  p.n_q = pick(seed, 3, {0, 1, 2, 7, 16, 19});
  p.n_k = pick(seed, 4, {0, 1, 2, 15, 16, 17, 31, 53});
  p.d_qk = pick(seed, 5, {1, 3, 8, 33});
  p.d_v = pick(seed, 6, {1, 2, 5, 32});
  p.in = pick_format(seed, 7);
  p.out = pick_format(seed, 8);
  p.scale = default_scale(p.d_qk);
  p.left = pick(seed, 9, {kUnlimited, kUnlimited, -3, 0, 1, 20, -(Index{1} << 31)});
  p.right = pick(seed, 10, {kUnlimited, kUnlimited, -3, 0, 1, 20, Index{1} << 31});
  p.align = pick(seed, 11, {0, 1}) == 0 ? Align::top_left : Align::bottom_right;
  for (Index b = 0; b < p.batch && pick(seed, 12, {0, 1}) == 1; ++b) {
    const auto part = [&](Index n, std::uint32_t draw) {
      return static_cast<Index>(uniform(seed, {17, 0, 0, static_cast<std::uint32_t>(b), draw}) *
                                static_cast<double>(n + 1));
    };
    p.lq.push_back(part(p.n_q, 0));
    p.lk.push_back(part(p.n_k, 1));
  }
  return p;
}

}  // namespace attest
