// liveness.hpp - who sees whom in one batch entry, asked of the oracle's mask pair by pair.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace attest {

// The mask of batch entry b. All heads share it.
class Liveness {
 public:
  Liveness(const Problem& problem, Index b);

  [[nodiscard]] Index rows() const { return rows_; }  // below lq
  [[nodiscard]] Index keys() const { return keys_; }  // n_k, beyond lk included

  [[nodiscard]] bool live(Index i, Index j) const { return live_[i * keys_ + j] != 0; }
  [[nodiscard]] bool dead_row(Index i) const { return keys_of_row_[i] == 0; }
  // Does no row see key j?
  [[nodiscard]] bool unseen(Index j) const { return rows_of_key_[j] == 0; }
  // Do some rows see key j and others not?
  [[nodiscard]] bool mixed(Index j) const {
    return rows_of_key_[j] != 0 && rows_of_key_[j] != rows_;
  }

 private:
  Index rows_;
  Index keys_;
  std::vector<char> live_;
  std::vector<Index> keys_of_row_;
  std::vector<Index> rows_of_key_;
};

}  // namespace attest
