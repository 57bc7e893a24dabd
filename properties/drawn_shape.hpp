// drawn_shape.hpp - the draws that make one case's shape, shared by the draw and by what a plan
// asks of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"
#include "core/random.hpp"
#include "properties/families/values.hpp"

namespace attest {

// The draws of one case's shape, in a fixed order.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  Index below(Index count) {
    return random_bits(seed_, {kDrawOfShape, 0, 0, 0, drawn_++})[0] % count;
  }
  Index between(Index least, Index most) { return least + below(most - least + 1); }
  bool one_in(Index count) { return below(count) == 0; }
  template <class T, std::size_t n>
  T pick(const T (&choices)[n]) {
    return choices[below(n)];
  }

 private:
  std::uint64_t seed_;
  std::uint32_t drawn_ = 0;
};

// How far a window reaches: within a tile of 16 keys, or across several of 64.
[[nodiscard]] Index draw_reach(Dice& dice);

// Of each batch entry, up to `full`.
[[nodiscard]] std::vector<Index> draw_lengths(Dice& dice, Index batch, Index full);

// About what a case costs, of which a subject's run and a judge's look at every element have the
// greatest part: tile products pad queries and keys, and a pair costs something beside its
// products.
[[nodiscard]] Index work_of(const Problem& p);

}  // namespace attest
