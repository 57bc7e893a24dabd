#include "kernels/machine/block.hpp"

#include <bit>
#include <boost/context/preallocated.hpp>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/contract.hpp"

namespace attest {
namespace {

using boost::context::fiber;

// LaneStacks owns the memory, so that a fiber that ends must free nothing.
struct KeepStack {
  void deallocate(boost::context::stack_context&) noexcept {}
};

// Thrown in a lane that waits for ever, to destroy what lives on its stack. Boost would do the same
// when a fiber is destroyed, but behind the back of AddressSanitizer.
struct Abandoned {};

constexpr std::uint32_t bit(int slot) { return 1u << slot; }

}  // namespace

Block::Block(BlockShape shape, const Emulation& emulation, std::function<void()> body, int tensors)
    : shape_(shape),
      emulation_(emulation),
      body_(std::move(body)),
      tensors_(tensors),
      warps_(static_cast<std::size_t>(shape.threads / kLanes)),
      warp_order_(warps_.size()),
      lanes_(static_cast<std::size_t>(shape.threads)),
      stacks_(borrow_stacks(shape.threads, emulation.stack_bytes)),
      shared_(static_cast<std::size_t>(shape.shared_bytes) / sizeof(CacheLine) + 1),
      shared_ledger_(emulation.detect_races ? shape.shared_bytes : 0),
      global_ledger_(tensors) {
  ATTEST_EXPECTS(shape.threads > 0 && shape.threads % kLanes == 0 && shape.threads <= 1024);
}

void Block::make_fresh(BlockPlace place) {
  place_ = place;
  record_ = {};
  record_.traffic.resize(static_cast<std::size_t>(tensors_));
  stream_ = ScheduleStream(emulation_.schedule_seed, static_cast<std::uint64_t>(place.number) + 1);
  waiting_at_barrier_ = ended_ = 0;
  steps_ = 0;
  given_up_ = false;
  constexpr unsigned char kPoison = 0xff;  // a NaN in every format
  std::memset(shared_memory(), kPoison, static_cast<std::size_t>(shape_.shared_bytes));
  if (clock_ > 1u << 31) {  // far from where it would wrap
    shared_ledger_ = SharedLedger(emulation_.detect_races ? shape_.shared_bytes : 0);
    clock_ = 0;
  }
  begin_interval();
  shared_ledger_.begin(clock_);
  std::iota(warp_order_.begin(), warp_order_.end(), std::uint8_t{0});
  for (Warp& warp : warps_) {
    warp.ready = ~0u;
    warp.at_collective = warp.ended = 0;
    std::iota(warp.slot_of_lane.begin(), warp.slot_of_lane.end(), std::uint8_t{0});
    warp.lane_of_slot = warp.slot_of_lane;
  }
}

BlockRecord Block::run(BlockPlace place) {
  make_fresh(place);
  Block* const outer = std::exchange(current_block, this);
  start_lanes();
  draw_orders();
  set_running(kScheduler);
  switch_to(first_to_run());
  if (!exception_ && !given_up_ && ended_ < shape_.threads) report_stuck_lanes();
  unwind_stuck_lanes();
  current_block = outer;
  global_ledger_.end_block(place.number, record_.runs);
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  return std::move(record_);
}

void Block::unwind_stuck_lanes() {
  abandoned_ = true;
  for (int thread = 0; thread < shape_.threads; ++thread) {
    if (lane_of(thread).fiber) switch_to(thread);
  }
  abandoned_ = false;
}

void Block::start_lanes() {
  for (int thread = 0; thread < shape_.threads; ++thread) {
    const auto stack = (*stacks_)[thread];
    Lane& lane = lane_of(thread);
    lane.at_barrier = false;
    lane.bounds = {static_cast<unsigned char*>(stack.sp) - stack.size, stack.size};
    lane.fiber =
        fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
              KeepStack{}, [this, thread](fiber&& from) {
                const StackBounds left = after_switch(nullptr);
                if (came_from_ == kScheduler) scheduler_.bounds = left;
                context(came_from_).fiber = std::move(from);
                try {
                  if (!abandoned_) body_();
                } catch (const Abandoned&) {
                } catch (...) {
                  // Must not leave the fiber. Of several, the first is the cause.
                  if (!exception_) exception_ = std::current_exception();
                }
                return end_lane(thread);
              });
  }
}

fiber Block::end_lane(int thread) {
  Warp& warp = warp_of(thread);
  const int slot = warp.slot_of_lane[thread % kLanes];
  warp.ready &= ~bit(slot);
  warp.ended |= bit(slot);
  ++ended_;
  const bool over = exception_ || abandoned_;
  // As on a GPU, a barrier waits for the lanes that have not ended.
  if (!over && waiting_at_barrier_ > 0 && waiting_at_barrier_ + ended_ == shape_.threads) {
    release_barrier();
  }
  const int next = over ? kScheduler : next_to_run();
  came_from_ = thread;
  set_running(next);
  ++record_.fiber_switches;
  before_switch(nullptr, context(next).bounds);
  return std::move(context(next).fiber);
}

void Block::switch_to(int thread) {
  if (thread == running_.thread) return;
  ++record_.fiber_switches;
  const int self = running_.thread;
  came_from_ = self;
  set_running(thread);
  before_switch(&context(self).kept, context(thread).bounds);
  fiber from = std::move(context(thread).fiber).resume();
  // Back again, perhaps from another lane than the one we went to.
  after_switch(context(self).kept);
  context(came_from_).fiber = std::move(from);
  if (abandoned_ && self != kScheduler) throw Abandoned{};
}

void Block::give_up(Finding finding) {
  report(std::move(finding));
  given_up_ = true;
  switch_to(kScheduler);  // which abandons every lane, this one included
  throw Abandoned{};
}

int Block::next_to_run() const {
  const int warp_now = running_.thread / kLanes;
  const Warp& warp = warps_[warp_now];
  if (warp.ready != 0) {
    const int slot = warp.slot_of_lane[running_.thread % kLanes];
    const std::uint32_t from_slot_on = std::rotr(warp.ready, slot);
    return warp_now * kLanes + warp.lane_of_slot[(slot + std::countr_zero(from_slot_on)) % kLanes];
  }
  return first_to_run();
}

int Block::first_to_run() const {
  for (const int warp : warp_order_) {
    if (warps_[warp].ready != 0) return first_lane(warp);
  }
  return kScheduler;
}

int Block::first_lane(int warp) const {
  return warp * kLanes + warps_[warp].lane_of_slot[std::countr_zero(warps_[warp].ready)];
}

// Is it the last lane?
bool Block::arrive_at_collective(Warp& warp, Where where, const void* tag) {
  count_steps(kStepsOfWait, where);
  const std::uint32_t mine = bit(warp.slot_of_lane[running_.thread % kLanes]);
  if (warp.at_collective == 0) {
    warp.collective = where;
    warp.tag = tag;
  } else if (warp.tag != tag || !same_call(warp.collective, where)) {
    give_up({Finding::Kind::divergence, where, warp.collective,
             "lanes of warp " + std::to_string(running_.thread / kLanes) +
                 " meet in different collectives, thread " + std::to_string(running_.thread) +
                 " here"});
  }
  lane_of(running_.thread).waits_at = where;
  warp.at_collective |= mine;
  if (warp.at_collective == ~0u) return true;
  warp.ready &= ~mine;
  return false;
}

void Block::release(Warp& warp) {
  warp.ready |= warp.at_collective;
  warp.at_collective = 0;
  constexpr std::uint64_t kPreemptOneIn = 8;  // now and then another warp gets ahead
  if (emulation_.schedule_seed != 0 && stream_.draw() % kPreemptOneIn == 0) {
    const int warp_drawn = static_cast<int>(stream_.draw() % warps_.size());
    if (warps_[warp_drawn].ready != 0) switch_to(first_lane(warp_drawn));
  }
}

void Block::sync_warp(Where where) {
  if (abandoned_) return;
  Warp& warp = warp_of(running_.thread);
  if (arrive_at_collective(warp, where, nullptr)) {
    running_.step = warp.step = ++clock_;
    release(warp);
  } else {
    switch_away();
  }
}

void Block::sync_block(Where where) {
  if (abandoned_) return;
  count_steps(kStepsOfWait, where);
  Warp& warp = warp_of(running_.thread);
  warp.ready &= ~bit(warp.slot_of_lane[running_.thread % kLanes]);
  lane_of(running_.thread).waits_at = where;
  lane_of(running_.thread).at_barrier = true;
  if (waiting_at_barrier_++ == 0) {
    barrier_ = where;
  } else if (!same_call(barrier_, where)) {
    report({Finding::Kind::divergence, where, barrier_,
            "lanes of one block meet in different barriers"});
  }
  if (waiting_at_barrier_ + ended_ == shape_.threads) {
    release_barrier();
    switch_to(first_to_run());  // or the last lane to arrive would always be the first to leave
  } else {
    switch_away();
  }
}

void Block::release_barrier() {
  for (int thread = 0; thread < shape_.threads; ++thread) {
    if (!std::exchange(lane_of(thread).at_barrier, false)) continue;
    Warp& warp = warp_of(thread);
    warp.ready |= bit(warp.slot_of_lane[thread % kLanes]);
  }
  waiting_at_barrier_ = 0;
  begin_interval();
  draw_orders();
}

void Block::begin_interval() {
  running_.interval = running_.step = ++clock_;
  for (Warp& warp : warps_) warp.step = clock_;
}

// Only at a barrier, where the sets of slots are full or empty but for lanes that have ended.
void Block::draw_orders() {
  if (emulation_.schedule_seed == 0) return;
  stream_.shuffle(warp_order_);
  for (Warp& warp : warps_) {
    if (warp.ended != 0) continue;
    stream_.shuffle(warp.lane_of_slot);
    for (std::size_t slot = 0; slot < kLanes; ++slot) {
      warp.slot_of_lane[warp.lane_of_slot[slot]] = static_cast<std::uint8_t>(slot);
    }
  }
}

}  // namespace attest
