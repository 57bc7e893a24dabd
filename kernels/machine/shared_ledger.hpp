// shared_ledger.hpp - the access history of a block's shared memory.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/machine/access_history.hpp"

namespace attest {

class SharedLedger {
 public:
  explicit SharedLedger(int shared_bytes)
      : cells_((static_cast<unsigned>(shared_bytes) + kCellBytes - 1) / kCellBytes) {}

  // A new block begins at `tick`, above every one so far: shared memory is fresh, nobody has
  // written. To clear the cells would cost more than a small block.
  void begin(std::uint32_t tick) { first_tick_ = tick; }

  // Bytes offset .. offset + bytes - 1. Of several convictions, the one of the last cell.
  [[nodiscard]] std::optional<Conviction> on_read(int offset, int bytes, const Toucher& who,
                                                  Where where) {
    std::optional<Conviction> conviction;
    for (AccessHistory& cell : cells_of(offset, bytes)) {
      if (!cell.was_written_since(first_tick_)) {
        conviction = {Conviction::Charge::never_written, who.thread, where};
      }
      if (const auto found = cell.on_read(who, where)) conviction = found;
    }
    return conviction;
  }
  [[nodiscard]] std::optional<Conviction> on_write(int offset, int bytes, const Toucher& who,
                                                   Where where) {
    std::optional<Conviction> conviction;
    for (AccessHistory& cell : cells_of(offset, bytes)) {
      if (const auto found = cell.on_write(who, where)) conviction = found;
    }
    return conviction;
  }

 private:
  // Two bytes are the smallest element. Coarser cells would convict neighbours.
  static constexpr unsigned kCellBytes = 2;

  [[nodiscard]] std::span<AccessHistory> cells_of(int offset, int bytes) {
    const unsigned first = static_cast<unsigned>(offset) / kCellBytes;
    const unsigned last = static_cast<unsigned>(offset + bytes - 1) / kCellBytes;
    return std::span(cells_).subspan(first, last - first + 1);
  }

  std::vector<AccessHistory> cells_;
  std::uint32_t first_tick_ = 1;
};

}  // namespace attest
