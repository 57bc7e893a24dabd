#include "kernels/machine/emulator.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "core/contract.hpp"
#include "kernels/machine/launch_races.hpp"

namespace attest {
namespace {

BlockPlace place_of(int number, Grid grid) {
  return {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y, number};
}

int blocks_of(Grid grid) {
  ATTEST_EXPECTS(grid.x >= 0 && grid.y >= 0 && grid.z >= 0);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t layer = std::int64_t{grid.x} * grid.y;  // below 2^62
  ATTEST_EXPECTS(layer == 0 || grid.z <= kMost / layer);
  return static_cast<int>(layer * grid.z);
}

bool is_endless(const BlockRecord& record) {
  return std::ranges::find(record.findings, Finding::Kind::endless, &Finding::kind) !=
         record.findings.end();
}

void lower_to(std::atomic<int>& least, int value) {
  int before = least;
  while (value < before && !least.compare_exchange_weak(before, value)) {
  }
}

}  // namespace

GlobalTensor& Emulator::add_tensor(std::string_view name, std::int64_t count, bool tracked) {
  ATTEST_EXPECTS(count >= 0);
  const int id = static_cast<int>(tensors_.size());
  tensors_.push_back(std::make_unique<GlobalTensor>(std::string(name), id, count, tracked));
  traffic_.emplace_back();
  return *tensors_.back();
}

std::byte* Emulator::poisoned_bytes(std::int64_t count, std::size_t size) {
  ATTEST_EXPECTS(count >= 0);
  constexpr unsigned char kPoison = 0xff;  // a NaN in every format
  const std::size_t bytes = static_cast<std::size_t>(count) * size;
  scratch_bytes_ += static_cast<std::int64_t>(bytes);
  scratch_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
  std::memset(scratch_.back().get(), kPoison, bytes);
  return scratch_.back().get();
}

int Emulator::threads_for(int blocks) const {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int wanted = emulation_.threads > 0 ? emulation_.threads : std::max(cores, 1);
  return std::min(wanted, blocks);
}

Emulation Emulator::emulation_of_launch() const {
  Emulation emulation = emulation_;
  if (emulation.most_steps == 0) {
    std::uint64_t elements = 0;
    for (const auto& tensor : tensors_) elements += static_cast<std::uint64_t>(tensor->count());
    emulation.most_steps = default_patience(elements);
  }
  return emulation;
}

void Emulator::run_blocks(BlockShape shape, Grid grid, const std::function<void()>& body) {
  const int count = blocks_of(grid);
  if (count == 0) return;
  shared_bytes_ = std::max(shared_bytes_, shape.shared_bytes);
  const std::vector<int> order = block_order(count, emulation_.schedule_seed);
  std::vector<BlockResult> results(order.size());
  std::atomic<int> next = 0;
  std::atomic<int> end = count;  // the turn after the first endless one so far
  const auto serve = [&](Block& block) {
    for (int turn = next++; turn < end; turn = next++) {
      BlockResult& result = results[static_cast<std::size_t>(turn)];
      try {
        result.record = block.run(place_of(order[static_cast<std::size_t>(turn)], grid));
        if (is_endless(result.record)) lower_to(end, turn + 1);
      } catch (...) {
        result.thrown = std::current_exception();
      }
    }
  };
  // Made here, where an exception can be thrown on. A fiber starts on the thread that runs it.
  std::vector<std::unique_ptr<Block>> blocks;
  const Emulation emulation = emulation_of_launch();
  for (int n = 0; n < threads_for(count); ++n) {
    blocks.push_back(
        std::make_unique<Block>(shape, emulation, body, static_cast<int>(tensors_.size())));
  }
  {
    std::vector<std::jthread> others;
    for (std::size_t n = 1; n < blocks.size(); ++n) {
      others.emplace_back([&, n] { serve(*blocks[n]); });
    }
    serve(*blocks.front());
  }
  // Every turn up to the first endless one has been run; of later ones, by luck, some.
  results.resize(static_cast<std::size_t>(end));
  end_launch(results);
}

// In the order of the schedule, so that sums of atomics do not depend on threads.
void Emulator::end_launch(std::vector<BlockResult>& results) {
  std::vector<std::vector<TouchedRun>> runs(tensors_.size());
  std::exception_ptr thrown;
  for (BlockResult& result : results) {
    if (result.thrown && !thrown) thrown = result.thrown;
    for (const TouchedRun& run : result.record.runs) {
      runs[static_cast<std::size_t>(run.tensor)].push_back(run);
    }
    take(std::move(result.record));
  }
  for (const auto& tensor : tensors_) {
    auto& touched = runs[static_cast<std::size_t>(tensor->id())];
    add_races_between_blocks(touched, tensor->name(), findings_);
    tensor->end_launch(touched);
  }
  if (thrown) std::rethrow_exception(thrown);
}

void Emulator::take(BlockRecord&& record) {
  for (Finding& finding : record.findings) add_finding(findings_, std::move(finding));
  for (std::size_t id = 0; id < record.traffic.size(); ++id) {
    traffic_[id].bytes_read += record.traffic[id].bytes_read;
    traffic_[id].bytes_written += record.traffic[id].bytes_written;
  }
  for (const AtomicAdd& add : record.atomics) *add.target += add.value;
  fiber_switches_ += record.fiber_switches;
}

RunReport Emulator::report() const {
  RunReport report;
  report.findings = findings_;
  for (const auto& tensor : tensors_) {
    report.memory.traffic.push_back(
        {tensor->name(), traffic_[static_cast<std::size_t>(tensor->id())]});
  }
  report.memory.scratch_bytes = scratch_bytes_;
  report.memory.shared_bytes = shared_bytes_;
  report.fiber_switches = fiber_switches_;
  return report;
}

}  // namespace attest
