// computed_pairs.hpp - the pairs of rows whose gradients came from blocks in binary64, made when a
// judge asks for them: error-analysis.md, Lemma 23.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/backward_answer.hpp"
#include "oracle/rounded_query.hpp"

namespace attest {

// One key head with what binary64 knows of its rows.
struct RoundedHead {
  HeadTask task;
  KeyNorms norms;
  std::vector<std::optional<RoundedQuery>> queries;  // per row of the task, where P has a number
};

// Keeps operands, not pairs.
class ComputedPairs final : public PairSource {
 public:
  explicit ComputedPairs(const Problem& problem) : problem_(problem) {}

  void fill(std::size_t row, Index first, Index end, Pair* pairs) const override;

  // Heads come in the order of (b, h_k), those that binary64 does not do included, as empty ones.
  [[nodiscard]] RoundedHead& add_head(const Inputs& inputs,
                                      const std::optional<StoredForward>& stored, Index b,
                                      Index h_k);
  // Forgets the last one's rows.
  void drop_last() { heads_.back().reset(); }

  // All of the row but its enclosures and pairs, with bounds of how sharp the pairs are.
  [[nodiscard]] static BackwardRow describe(const RoundedHead& head, const RoundedQuery& query);

 private:
  Problem problem_;  // tasks refer to it
  std::deque<std::optional<RoundedHead>> heads_;
};

}  // namespace attest
