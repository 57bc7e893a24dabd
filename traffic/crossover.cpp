#include "traffic/crossover.hpp"

#include "traffic/forward_traffic.hpp"
#include "traffic/work.hpp"

namespace attest {

Problem square_head(Index n, Index d) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d_qk = p.d_v = d;
  return p;
}

Index tiled_bytes(Index n, Index d) {
  return bytes_moved(tiled_forward_traffic(square_head(n, d), kUsualTiles));
}

Index rival_bytes(Rival rival, Index n, Index d) {
  if (rival == Rival::materialising) {
    return bytes_moved(materialising_forward_traffic(square_head(n, d), 4));
  }
  const Index q_k_v_and_o = 4 * matrix_bytes(n, d, 2);
  const Index s_and_p_both_ways = 4 * matrix_bytes(n, n, 2);
  return q_k_v_and_o + matrix_bytes(n, 1, 4) + s_and_p_both_ways;
}

Crossover crossover(Rival rival, Index d, Index most) {
  Crossover found;
  for (Index n = 1; n <= most; ++n) {
    if (tiled_bytes(n, d) < rival_bytes(rival, n, d)) {
      if (!found.first_fewer) found.first_fewer = n;
      if (!found.always_fewer) found.always_fewer = n;
    } else {
      found.always_fewer.reset();
    }
  }
  return found;
}

}  // namespace attest
