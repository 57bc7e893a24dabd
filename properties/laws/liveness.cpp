#include "properties/laws/liveness.hpp"

#include "oracle/mask.hpp"

namespace attest {

Liveness::Liveness(const Problem& problem, Index b)
    : rows_(problem.live_queries(b)),
      keys_(problem.n_k),
      live_(static_cast<std::size_t>(rows_ * keys_)),
      keys_of_row_(static_cast<std::size_t>(rows_)),
      rows_of_key_(static_cast<std::size_t>(keys_)) {
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < keys_; ++j) {
      if (!is_live(problem, b, i, j)) continue;
      live_[i * keys_ + j] = 1;
      ++keys_of_row_[i];
      ++rows_of_key_[j];
    }
  }
}

}  // namespace attest
