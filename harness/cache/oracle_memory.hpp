// oracle_memory.hpp - the multiprecision oracle, asked once for each question.
//
// A question is keyed by SHA-256 over all that its answer depends on: the oracle itself
// (oracle_digest.hpp), what is asked at which precision, the problem, every byte of the inputs and,
// for rows that are refined, what was known of them. So what is remembered is, bit for bit, what
// would be computed, and no verdict or report can tell the difference.
//
// Binary64 answers are not kept: computing one takes hardly longer than finding it
// (bench/cache_bench.cpp).
#pragma once

#include <span>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "harness/cache/content_store.hpp"
#include "oracle/precision.hpp"

namespace attest {

// When an answer is dear enough to keep.
struct KeepRule {
  // Opening a file costs a tenth of that.
  double least_seconds = 1e-3;
  // To read, check and decode a byte takes 1 to 2 ns (bench/cache_bench.cpp).
  double seconds_a_byte = 10e-9;
};

// The same calls as those of the oracle. Without a store they are nothing else. May be copied; the
// store, if any, outlives it. Safe from several threads.
class OracleMemory {
 public:
  OracleMemory() = default;
  explicit OracleMemory(ContentStore& store, KeepRule rule = {}) : store_(&store), rule_(rule) {}

  [[nodiscard]] Answer enclose_forward(const Problem& problem, const Inputs& inputs) const;
  void refine_rows(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
                   Precision precision, Answer& answer) const;
  [[nodiscard]] BackwardAnswer enclose_backward(const Problem& problem, const Inputs& inputs,
                                                Precision precision = kFirstMultiprecision) const;

 private:
  ContentStore* store_ = nullptr;
  KeepRule rule_;
};

}  // namespace attest
