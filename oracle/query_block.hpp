// query_block.hpp - some rows of one query head through all keys, tile by tile, in binary64.
#pragma once

#include <span>
#include <vector>

#include "core/answer.hpp"
#include "core/problem.hpp"
#include "oracle/mask.hpp"
#include "oracle/score_tile.hpp"
#include "oracle/wide_head.hpp"

namespace attest {

inline constexpr Index kBlockRows = 128;
inline constexpr Index kTileKeys = 256;

struct BlockRow {
  Index i = 0;
  KeyRange live;  // at least one key
};

struct QueryHead {
  const Problem& problem;
  const WideQueries& queries;
  const WideHead& head;
  Index b = 0;
  Index h = 0;
  Answer& answer;
};

// Keeps its buffers from block to block.
class QueryBlock {
 public:
  explicit QueryBlock(const QueryHead& task);

  // Writes enclosures and moments of the rows into the answer; returns the indices of those that
  // binary64 cannot do. Requires: at most kBlockRows rows, of finite values.
  [[nodiscard]] std::vector<std::size_t> work(std::span<const BlockRow> rows);

 private:
  void read_queries(std::span<const BlockRow> rows);
  void work_tile(std::span<const BlockRow> rows, Index first, Index width);
  [[nodiscard]] bool finish(std::size_t n, const BlockRow& row);

  QueryHead task_;
  std::size_t d_qk_;
  std::size_t d_v_;
  double q_unit_ = 1;
  std::vector<double> q_;        // [rows, d_qk]
  std::vector<float> q_floor_;   // [rows, d_qk]: floor(q) / q_unit
  std::vector<double> weights_;  // [rows, kTileKeys]: dots, then weights
  std::vector<float> narrow_;    // [rows, kTileKeys]: the weights in binary32
  std::vector<float> sizes_;     // [rows, kTileKeys]: sum_c floor(q_c) floor(k_jc) / units
  std::vector<double> o_;        // [rows, d_v]: sum of w v
  std::vector<float> spread_;    // [rows, 2 d_v]: sum of w |v| / v_unit, and of its squares
  std::vector<RowSums> sums_;
};

}  // namespace attest
