// access_history.hpp - who touched one cell of memory since the last barrier.
//
// Two accesses race if they touch one cell, at least one writes, they come from different lanes,
// and no barrier orders them: no sync_block nor, within one warp, a sync_warp. A shuffle or a tile
// product orders nothing, although the emulator happens to run it as a barrier.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/machine/where.hpp"

namespace attest {

// A lane and its place in time. A block's clock starts above 0 and ticks at every barrier of a warp
// or of the whole block.
struct Toucher {
  int thread;
  std::uint32_t interval;  // the tick of the last barrier of the block
  std::uint32_t step;      // of the last barrier of either kind that the lane's warp met
};

// Who else, and what was wrong. No text: this is the hot path, and nearly always empty.
struct Conviction {
  enum class Charge : std::uint8_t {
    never_written,
    read_after_write,
    write_after_write,
    write_after_read,
    touched_while_added,  // in a launch that adds to it atomically
  };
  Charge charge;
  int other_thread;  // of a warp that read, any lane; where unknown, the toucher itself
  Where other_where;
};

// Enough to convict exactly, up to the first race of an interval: the last writer, the readers of
// one warp in one step, and whether another warp read too. Any two warps that have read convict
// every later writer, so that a third need not be kept. Half a cache line, since there is one for
// every two bytes.
class alignas(32) AccessHistory {
 public:
  [[nodiscard]] std::optional<Conviction> on_read(const Toucher& who, Where where) {
    const bool convicted = writer_conflicts(who);
    const Conviction conviction{Conviction::Charge::read_after_write, writer_, write_where_};
    keep_reader(who);
    read_where_ = where;
    return convicted ? std::optional(conviction) : std::nullopt;
  }

  [[nodiscard]] std::optional<Conviction> on_write(const Toucher& who, Where where) {
    const auto conviction = conflict_of_write(who);
    write_step_ = who.step;
    writer_ = static_cast<std::int16_t>(who.thread);
    write_where_ = where;
    return conviction;
  }

  // What a write by `who` would be convicted of; keeps nothing.
  [[nodiscard]] std::optional<Conviction> conflict_of_write(const Toucher& who) const {
    if (read_step_ >= who.interval && readers_conflict(who)) return conviction_of_readers(who);
    if (!writer_conflicts(who)) return std::nullopt;
    return Conviction{Conviction::Charge::write_after_write, writer_, write_where_};
  }

  // At that tick or later; of tick 1: ever.
  [[nodiscard]] bool was_written_since(std::uint32_t tick) const { return write_step_ >= tick; }
  // Of the last one; nowhere if there was none.
  [[nodiscard]] Where last_read() const { return read_where_; }
  [[nodiscard]] Where last_write() const { return write_where_; }

 private:
  static constexpr unsigned kLanes = 32;
  static constexpr std::int8_t kNobody = -1;

  static std::int8_t warp_of(const Toucher& who) {
    return static_cast<std::int8_t>(static_cast<unsigned>(who.thread) / kLanes);
  }
  static std::uint32_t lane_bit(const Toucher& who) {
    return 1u << (static_cast<unsigned>(who.thread) % kLanes);
  }

  // An access of the same interval conflicts unless a barrier of the warp lies between.
  [[nodiscard]] bool writer_conflicts(const Toucher& who) const {
    return write_step_ >= who.interval && writer_ != who.thread &&
           (write_step_ == who.step || writer_ >> 5 != warp_of(who));
  }
  [[nodiscard]] bool another_warp_read(const Toucher& who) const {
    return reader_warp_ != warp_of(who) ||
           (other_reader_warp_ != kNobody && other_reader_warp_ != warp_of(who));
  }
  // Requires: a read in the interval of `who`.
  [[nodiscard]] bool readers_conflict(const Toucher& who) const {
    return another_warp_read(who) ||
           (read_step_ == who.step && (reader_lanes_ & ~lane_bit(who)) != 0);
  }
  [[nodiscard]] Conviction conviction_of_readers(const Toucher& who) const;

  void keep_reader(const Toucher& who) {
    const std::int8_t warp = warp_of(who);
    if (reader_warp_ != warp || read_step_ != who.step) {
      if (read_step_ < who.interval) {
        other_reader_warp_ = kNobody;
      } else if (reader_warp_ != warp) {
        other_reader_warp_ = reader_warp_;
      }
      reader_warp_ = warp;
      read_step_ = who.step;
      reader_lanes_ = 0;
    }
    reader_lanes_ |= lane_bit(who);
  }

  std::uint32_t write_step_ = 0, read_step_ = 0;  // 0: never
  std::uint32_t reader_lanes_ = 0;
  std::int16_t writer_ = kNobody;
  std::int8_t reader_warp_ = kNobody, other_reader_warp_ = kNobody;
  Where write_where_, read_where_;
};

}  // namespace attest
