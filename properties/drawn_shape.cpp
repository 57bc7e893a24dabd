#include "properties/drawn_shape.hpp"

namespace attest {

Index draw_reach(Dice& dice) {
  return dice.one_in(3) ? dice.between(25, 160) : dice.between(0, 24);
}

std::vector<Index> draw_lengths(Dice& dice, Index batch, Index full) {
  std::vector<Index> lengths;
  for (Index b = 0; b < batch; ++b) {
    lengths.push_back(dice.one_in(8) ? 0 : dice.one_in(4) ? full : dice.between(0, full));
  }
  return lengths;
}

Index work_of(const Problem& p) {
  return p.batch * p.heads_q * (p.n_q + 8) * (p.n_k + 64) * (p.d_qk + p.d_v + 100);
}

}  // namespace attest
