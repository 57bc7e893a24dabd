// block_findings.cpp - the part of a Block that accuses: accesses held against the ledgers, lanes
// that cannot go on, and what is said of them.
#include <string>
#include <utility>

#include "kernels/machine/block.hpp"

namespace attest {
namespace {

using Charge = Conviction::Charge;

constexpr int kLanes = 32;

std::string name_of_thread(int thread) {
  return "thread " + std::to_string(thread) + " (warp " + std::to_string(thread / kLanes) + ")";
}

// What would have ordered the two: collectives order no memory.
std::string missing_between(int thread, int other) {
  return thread / kLanes == other / kLanes ? ", no sync_warp or sync_block between"
                                           : ", no sync_block between";
}

std::string what_it_does(const Conviction& conviction, int thread) {
  const std::string other = name_of_thread(conviction.other_thread);
  const std::string missing = missing_between(thread, conviction.other_thread);
  switch (conviction.charge) {
    case Charge::never_written: return " reads what nobody has written";
    case Charge::read_after_write: return " reads what " + other + " wrote" + missing;
    case Charge::write_after_write: return " overwrites what " + other + " wrote" + missing;
    case Charge::write_after_read:
      return " overwrites what the warp of " + other + " read" + missing;
    case Charge::touched_while_added:
      return " touches what the same launch adds to: its sums are settled at the launch's end";
  }
  return "";
}

}  // namespace

void Block::check_shared_read(int offset, int bytes, Where where) {
  if (const auto conviction = shared_ledger_.on_read(offset, bytes, running_, where)) {
    report(*conviction, nullptr, where);
  }
}

void Block::check_shared_write(int offset, int bytes, Where where) {
  if (const auto conviction = shared_ledger_.on_write(offset, bytes, running_, where)) {
    report(*conviction, nullptr, where);
  }
}

void Block::check_global_read(const GlobalTensor& tensor, std::int64_t first, int count,
                              Where where) {
  if (const auto conviction = global_ledger_.on_read(tensor, first, count, running_, where)) {
    report(*conviction, &tensor, where);
  }
}

void Block::check_global_write(const GlobalTensor& tensor, std::int64_t first, int count,
                               Where where) {
  if (const auto conviction = global_ledger_.on_write(tensor, first, count, running_, where)) {
    report(*conviction, &tensor, where);
  }
}

void Block::add_atomically(const GlobalTensor& tensor, std::int64_t element, float* target,
                           float value, Where where) {
  Traffic& traffic = traffic_of(tensor);
  traffic.bytes_read += sizeof(float);
  traffic.bytes_written += sizeof(float);
  record_.atomics.push_back({target, value});
  if (!tensor.tracked()) return;
  if (const auto conviction = global_ledger_.on_add(tensor, element, running_, where)) {
    report(*conviction, &tensor, where);
  }
}

// A null tensor stands for shared memory.
void Block::report(const Conviction& conviction, const GlobalTensor* tensor, Where where) {
  auto kind = Finding::Kind::race;
  if (conviction.charge == Charge::never_written) {
    kind = tensor == nullptr ? Finding::Kind::uninitialised_shared
                             : Finding::Kind::uninitialised_global;
  }
  // Before any text is made: a kernel that races does so a million times.
  if (is_known(record_.findings, kind, where, conviction.other_where)) return;
  report({kind, where, conviction.other_where,
          name_of_thread(running_.thread) + what_it_does(conviction, running_.thread) + ", in " +
              (tensor == nullptr ? "shared memory" : tensor->name())});
}

void Block::report(Finding finding) {
  finding.text += ", block (" + std::to_string(place_.x) + ", " + std::to_string(place_.y) + ", " +
                  std::to_string(place_.z) + ")";
  add_finding(record_.findings, std::move(finding));
}

void Block::end_patience(Where where) {
  if (abandoned_) return;
  give_up({Finding::Kind::endless, where, where,
           name_of_thread(running_.thread) + " is here after " +
               std::to_string(emulation_.most_steps) +
               " steps of accesses and waits of its block: does it wait for what never comes?"});
}

void Block::report_stuck_lanes() {
  for (int warp = 0; warp < static_cast<int>(warps_.size()); ++warp) {
    if (warps_[static_cast<std::size_t>(warp)].ended != ~0u) report_stuck_lanes_of(warp);
  }
}

// Names the first lane that waits in a collective, or else at the barrier, and one that waits
// elsewhere.
void Block::report_stuck_lanes_of(int warp) {
  const Lane* first = nullptr;
  const Lane* elsewhere = nullptr;
  int in_collective = 0, at_barrier = 0, ended = 0;
  for (const bool barrier : {false, true}) {
    for (int thread = warp * kLanes; thread < (warp + 1) * kLanes; ++thread) {
      const Lane& lane = lane_of(thread);
      if (lane.at_barrier != barrier) continue;
      if (!lane.fiber) {
        ++ended;
        continue;
      }
      ++(barrier ? at_barrier : in_collective);
      if (first == nullptr) first = &lane;
      if (!same_call(first->waits_at, lane.waits_at)) elsewhere = &lane;
    }
  }
  report({Finding::Kind::divergence, first->waits_at, (elsewhere ? elsewhere : first)->waits_at,
          "warp " + std::to_string(warp) + " waits for ever: " + std::to_string(in_collective) +
              " lanes in a collective, " + std::to_string(at_barrier) + " at a barrier, " +
              std::to_string(ended) + " have ended"});
}

}  // namespace attest
