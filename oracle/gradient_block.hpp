// gradient_block.hpp - some query rows of one key head through all of its keys, tile by tile: their
// dQ and mean keys, and what they add to dK and dV.
#pragma once

#include <span>
#include <vector>

#include "oracle/gradient_sums.hpp"

namespace attest {

// Keeps its buffers from block to block.
class GradientBlock {
 public:
  // `most`: rows of a block.
  GradientBlock(GradientSums& sums, Index most, BackwardAnswer& answer);

  // Block `turn`, counted from 0. Every block before it has been begun.
  void work(std::size_t turn, std::span<const RoundedQuery> rows);

 private:
  void read_rows(std::span<const RoundedQuery> rows);
  void work_tile(std::span<const RoundedQuery> rows, Index first, Index width);
  void add_to_keys(Index rows, Index first, Index width);
  void write_rows(std::span<const RoundedQuery> rows);
  void write_mean_key(const RoundedQuery& query, const double* computed, BackwardRow& row) const;

  GradientSums& sums_;
  BackwardAnswer& answer_;
  const Problem& p_;
  Index stride_;              // keys of a tile
  std::vector<double> q_;     // [rows, d_qk]
  std::vector<double> dout_;  // [rows, d_v]
  std::vector<float> q_sizes_;
  std::vector<float> dout_sizes_;
  std::vector<double> weights_;  // [rows, stride]: q.k, then P
  std::vector<double> scores_;   // likewise: dO.v, then dS
  std::vector<float> weight_costs_;
  std::vector<float> score_costs_;
  std::vector<double> dq_;  // [rows, d_qk]
  std::vector<float> dq_sizes_;
  std::vector<double> mean_key_;
};

}  // namespace attest
