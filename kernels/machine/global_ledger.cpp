#include "kernels/machine/global_ledger.hpp"

#include <algorithm>

namespace attest {
namespace {

using Charge = Conviction::Charge;

// By this block: its cells were fresh.
bool was_written(const AccessHistory& history) { return history.was_written_since(1); }

bool same_way(const TouchedRun& a, const TouchedRun& b) {
  return same_line(a.read, b.read) && same_line(a.written, b.written) &&
         same_line(a.added, b.added);
}

}  // namespace

std::int32_t GlobalLedger::take_page() {
  if (pages_taken_ == pages_.size()) {
    pages_.push_back(std::make_unique<Page>());
  } else {
    *pages_[pages_taken_] = Page{};
  }
  return static_cast<std::int32_t>(pages_taken_++);
}

GlobalLedger::Cell& GlobalLedger::cell_of(const GlobalTensor& tensor, std::int64_t element) {
  TensorPages& pages = tensors_[static_cast<std::size_t>(tensor.id())];
  if (pages.page_of.empty()) {
    pages.page_of.resize(static_cast<std::size_t>(tensor.count() / kPageCells + 1), -1);
  }
  const std::int64_t place = element / kPageCells;
  std::int32_t& page = pages.page_of[static_cast<std::size_t>(place)];
  if (page < 0) {
    page = take_page();
    pages.taken.push_back(static_cast<std::int32_t>(place));
  }
  return pages_[static_cast<std::size_t>(page)]
      ->cells[static_cast<std::size_t>(element % kPageCells)];
}

std::optional<Conviction> GlobalLedger::on_read(const GlobalTensor& tensor, std::int64_t first,
                                                int count, const Toucher& who, Where where) {
  std::optional<Conviction> conviction;
  for (std::int64_t i = first; i < first + count; ++i) {
    Cell& cell = cell_of(tensor, i);
    if (!was_written(cell.history) && !tensor.was_written(i)) {
      conviction = {Charge::never_written, who.thread, where};
    }
    if (const auto found = cell.history.on_read(who, where)) conviction = found;
    if (is_somewhere(cell.added)) {
      conviction = {Charge::touched_while_added, who.thread, cell.added};
    }
  }
  return conviction;
}

std::optional<Conviction> GlobalLedger::on_write(const GlobalTensor& tensor, std::int64_t first,
                                                 int count, const Toucher& who, Where where) {
  std::optional<Conviction> conviction;
  for (std::int64_t i = first; i < first + count; ++i) {
    Cell& cell = cell_of(tensor, i);
    if (const auto found = cell.history.on_write(who, where)) conviction = found;
    if (is_somewhere(cell.added)) {
      conviction = {Charge::touched_while_added, who.thread, cell.added};
    }
  }
  return conviction;
}

// Against plain accesses before it, a sum is a write; against other sums it is not.
std::optional<Conviction> GlobalLedger::on_add(const GlobalTensor& tensor, std::int64_t element,
                                               const Toucher& who, Where where) {
  Cell& cell = cell_of(tensor, element);
  cell.added = where;
  if (const auto found = cell.history.conflict_of_write(who)) return found;
  if (was_written(cell.history) || tensor.was_written(element)) return std::nullopt;
  return Conviction{Charge::never_written, who.thread, where};
}

void GlobalLedger::append_cell(const Cell& cell, TouchedRun at, std::vector<TouchedRun>& runs) {
  at.read = cell.history.last_read();
  at.written = cell.history.last_write();
  at.added = cell.added;
  if (!is_somewhere(at.read) && at.only_read()) return;  // untouched
  if (!runs.empty()) {
    TouchedRun& last = runs.back();
    if (last.tensor == at.tensor && last.block == at.block && last.end() == at.first &&
        same_way(last, at)) {
      ++last.count;
      return;
    }
  }
  runs.push_back(at);
}

void GlobalLedger::end_block(int block, std::vector<TouchedRun>& runs) {
  for (std::size_t id = 0; id < tensors_.size(); ++id) {
    TensorPages& tensor = tensors_[id];
    std::ranges::sort(tensor.taken);
    for (const std::int32_t place : tensor.taken) {
      std::int32_t& page = tensor.page_of[static_cast<std::size_t>(place)];
      std::int64_t element = place * kPageCells;
      for (const Cell& cell : pages_[static_cast<std::size_t>(page)]->cells) {
        append_cell(cell, {element++, 1, static_cast<int>(id), block, {}, {}, {}}, runs);
      }
      page = -1;
    }
    tensor.taken.clear();
  }
  pages_taken_ = 0;
}

}  // namespace attest
