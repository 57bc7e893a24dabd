#include "traffic/backward_traffic.hpp"

#include <algorithm>

namespace attest {
namespace {

// Rows that a block owns, and rows of a tile that passes by; queries or keys, as the kernel is.
struct BackwardTile {
  Index own, passing;
  Index warps_of_keys;  // that share 16 rows in the kernel of dK and dV
};

BackwardTile tile_of(Index d) {
  return d <= 64    ? BackwardTile{64, 32, 1}
         : d <= 128 ? BackwardTile{64, 16, 1}
                    : BackwardTile{16, 16, 2};
}

Index on_chip(const BackwardTile& tile, Index d) {
  const Index constants = 2 * std::max(tile.own, tile.passing) * kFloat;
  const Index ds = tile.passing * (tile.own + 8) * kElement;
  return matrix_on_chip(2 * (tile.own + tile.passing), d) + constants + ds;
}

// Rows of q that see a key, over all heads.
Index seeing_rows(const Problem& p) {
  return p.heads_q * sum_over_batch(p, [&](Index b) { return queries_seeing(p, b, 0, p.n_k); });
}

// Rows of k that a row sees.
Index seen_rows(const Problem& p) {
  return p.heads_k * sum_over_batch(p, [&](Index b) { return keys_seen(p, b, 0, p.n_q); });
}

// Of each block of the kernel of dK and dV, the queries that see one of its keys, in every head of
// the group.
Index queries_passing(const Problem& p, Index own) {
  return p.heads_q * sum_over_tiles(p, p.n_k, own, [&](Index b, Index first) {
           return queries_seeing(p, b, first, own);
         });
}

// Of each block of the kernel of dQ, the keys that one of its queries sees.
Index keys_passing(const Problem& p, Index own) {
  return p.heads_q * sum_over_tiles(p, p.n_q, own, [&](Index b, Index first) {
           return keys_seen(p, b, first, own);
         });
}

}  // namespace

MemoryUse tiled_backward_traffic(const Problem& p, DqSummed dq) {
  ATTEST_EXPECTS(p.pass == Pass::bwd);
  constexpr Index kLanesOfRow = 4;  // each asks for the row's LSE and D
  const bool second = dq == DqSummed::by_second_pass;
  const Index widest = std::max(p.d_qk, p.d_v), out = bytes_of(p.out);
  const BackwardTile tile = tile_of(widest);
  const Index rows = query_rows(p), seeing = seeing_rows(p);
  const Index passing = queries_passing(p, tile.own);
  const Index key_blocks = p.batch * p.heads_k * tiles_over(p.n_k, tile.own);
  const Index query_blocks = p.batch * p.heads_q * tiles_over(p.n_q, tile.own);

  // Rows as each kernel reads them: dK and dV, then dQ where it has a kernel of its own.
  const Index q_rows = passing + (second ? seeing : 0);
  const Index k_rows = seen_rows(p) + (second ? keys_passing(p, tile.own) : 0);
  const Index constants = passing + (second ? kLanesOfRow * seeing : 0);
  // D, and dQ's rounding, take a lane a row.
  const Index lengths =
      rows * kLength + lengths_read(key_blocks, tile.own / kWarpRows * tile.warps_of_keys) +
      (second ? lengths_read(query_blocks, tile.own / kWarpRows) : rows * kLength);
  const bool tiles = key_blocks > 0 || (second && query_blocks > 0);

  MemoryUse use{{{"o", {seeing * p.d_v * out, 0}},
                 {"q", {q_rows * p.d_qk * kElement, 0}},
                 {"k", {k_rows * p.d_qk * kElement, 0}},
                 {"v", {k_rows * p.d_v * kElement, 0}},
                 {"dout", {(seeing + q_rows) * p.d_v * kElement, 0}},
                 {"lse", {constants * kFloat, 0}},
                 {"dq", {0, rows * p.d_qk * out}},
                 {"dk", {0, key_rows(p) * p.d_qk * out}},
                 {"dv", {0, key_rows(p) * p.d_v * out}},
                 {"lq", {lengths, 0}},
                 {"lk", {lengths, 0}},
                 {"row_dot", {constants * kFloat, rows * kFloat}}},
                rows * kFloat,
                tiles ? static_cast<int>(on_chip(tile, widest)) : 0};
  if (p.lse_gradient) use.traffic.push_back({"glse", {seeing * kFloat, 0}});
  if (!second) {  // zeros, then every tile's share, read once at the end
    const Index sums = passing * p.d_qk * kFloat;
    use.traffic.push_back(
        {"dq_sum", {sums + seeing * p.d_qk * kFloat, sums + rows * p.d_qk * kFloat}});
    use.scratch_bytes += rows * p.d_qk * kFloat;
  }
  return use;
}

Index saved_bytes(const Problem& p) { return query_rows(p) * (p.d_v * bytes_of(p.out) + kFloat); }

}  // namespace attest
