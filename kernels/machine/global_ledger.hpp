// global_ledger.hpp - what one block does to global memory, while it runs.
//
// Every block keeps its own, so that what a block is convicted of depends neither on other blocks
// nor on the threads that run them. What blocks do to each other is decided when the launch has
// ended, from the runs that each leaves behind (launch_races.hpp).
//
// Sums of atomics are settled only then, too. Hence a plain access to an element that the block
// has added to is convicted even behind a barrier: on a GPU it would be defined, but here it does
// not see the sum.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/machine/access_history.hpp"
#include "kernels/machine/global_tensor.hpp"
#include "kernels/machine/touched_run.hpp"

namespace attest {

class GlobalLedger {
 public:
  // For a machine with `tensors` tensors.
  explicit GlobalLedger(int tensors) : tensors_(static_cast<std::size_t>(tensors)) {}

  // Elements first .. first + count - 1, which exist. Of several convictions, that of the last
  // element. An element is unwritten unless an earlier launch or this block has written it.
  // Requires: tensor.tracked().
  [[nodiscard]] std::optional<Conviction> on_read(const GlobalTensor& tensor, std::int64_t first,
                                                  int count, const Toucher& who, Where where);
  [[nodiscard]] std::optional<Conviction> on_write(const GlobalTensor& tensor, std::int64_t first,
                                                   int count, const Toucher& who, Where where);
  [[nodiscard]] std::optional<Conviction> on_add(const GlobalTensor& tensor, std::int64_t element,
                                                 const Toucher& who, Where where);

  // Appends what block number `block` has touched, and forgets it.
  void end_block(int block, std::vector<TouchedRun>& runs);

 private:
  // Cells come in pages, of which a block needs few even where the tensor is a score matrix.
  static constexpr std::int64_t kPageCells = 256;
  struct Cell {
    AccessHistory history;
    Where added;
  };
  struct Page {
    std::array<Cell, kPageCells> cells;
  };
  struct TensorPages {
    std::vector<std::int32_t> page_of;  // by element / kPageCells: an index into pages_, or -1
    std::vector<std::int32_t> taken;    // indices into page_of
  };

  [[nodiscard]] Cell& cell_of(const GlobalTensor& tensor, std::int64_t element);
  [[nodiscard]] std::int32_t take_page();
  static void append_cell(const Cell& cell, TouchedRun at, std::vector<TouchedRun>& runs);

  std::vector<TensorPages> tensors_;
  std::vector<std::unique_ptr<Page>> pages_;  // the first pages_taken_ are in use
  std::size_t pages_taken_ = 0;
};

}  // namespace attest
