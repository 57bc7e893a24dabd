// memory_cpu.hpp - shared and global memory on the CPU: every access is checked and noted.
//
// An access out of bounds or misaligned is reported; a read then gives poison, a write is dropped.
// It counts as a step of its block all the same: a lane may wait for ever for a refused cell.
// Alignment counts from the first element: on a GPU every tensor begins at a multiple of 256 bytes,
// wherever the host's copy happens to lie.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "kernels/machine/block.hpp"

namespace attest {
inline namespace cpu {

// What a refused read gives: a NaN in every format.
template <class T>
T poison_value() {
  T value;
  std::memset(&value, 0xff, sizeof value);
  return value;
}

inline void report_access(Finding::Kind kind, const char* memory, std::int64_t element,
                          std::int64_t count, Where where) {
  if (current_block->has_reported(kind, where)) return;
  current_block->report({kind, where, where,
                         std::string("element ") + std::to_string(element) + " of " +
                             std::to_string(count) + " in " + memory});
}

template <class T>
class SharedSpan {
 public:
  SharedSpan() = default;
  SharedSpan(int offset, int count) : offset_(offset), count_(count) {}

  T load(int i, Where where = Where::current()) const { return read<T>(i, where); }
  // Two neighbouring 16-bit values as one register; i must be even.
  std::uint32_t load_pair(int i, Where where = Where::current()) const {
    return read<std::uint32_t>(i, where);
  }
  Chunk<T> load16(int i, Where where = Where::current()) const { return read<Chunk<T>>(i, where); }
  void store(int i, T value, Where where = Where::current()) const { write(i, value, where); }
  void store16(int i, const Chunk<T>& chunk, Where where = Where::current()) const {
    write(i, chunk, where);
  }

 private:
  // A Moved is one or more T that travel together, and must lie at a multiple of their size.
  template <class Moved>
  [[nodiscard]] bool permits(int i, Where where) const {
    constexpr int kMoved = static_cast<int>(sizeof(Moved) / sizeof(T));
    if (i < 0 || i > count_ - kMoved) {
      report_access(Finding::Kind::out_of_bounds, "shared memory", i, count_, where);
      return false;
    }
    if (i % kMoved != 0) {
      report_access(Finding::Kind::misaligned, "shared memory", i, count_, where);
      return false;
    }
    return true;
  }
  template <class Moved>
  [[nodiscard]] Moved read(int i, Where where) const {
    current_block->count_steps(1, where);
    if (!permits<Moved>(i, where)) return poison_value<Moved>();
    Moved moved;
    const int at = offset_ + i * static_cast<int>(sizeof(T));
    current_block->note_shared_read(at, sizeof moved, where);
    std::memcpy(&moved, current_block->shared_memory() + at, sizeof moved);
    return moved;
  }
  template <class Moved>
  void write(int i, const Moved& moved, Where where) const {
    current_block->count_steps(1, where);
    if (!permits<Moved>(i, where)) return;
    const int at = offset_ + i * static_cast<int>(sizeof(T));
    current_block->note_shared_write(at, sizeof moved, where);
    std::memcpy(current_block->shared_memory() + at, &moved, sizeof moved);
  }

  int offset_ = 0;
  int count_ = 0;
};

// Hands out a block's shared memory, piece after piece, each at a multiple of 16 bytes. Every lane
// takes the same pieces in the same order.
class SharedArena {
 public:
  template <class T>
  SharedSpan<T> take(int count, Where where = Where::current()) {
    const std::int64_t offset = used_;
    used_ += (std::int64_t{count} * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    if (count < 0 || used_ > current_block->shared_bytes()) {
      report_access(Finding::Kind::out_of_bounds, "shared memory (kSharedBytes is too small)",
                    used_, current_block->shared_bytes(), where);
      return {};
    }
    return {static_cast<int>(offset), count};
  }

 private:
  std::int64_t used_ = 0;
};

template <class T>
class GlobalSpan {
 public:
  using Value = std::remove_const_t<T>;
  GlobalSpan() = default;
  GlobalSpan(T* data, std::int64_t count, GlobalTensor* tensor)
      : data_(data), count_(count), tensor_(tensor) {}

  Value load(std::int64_t i, Where where = Where::current()) const { return read<Value>(i, where); }
  Chunk<Value> load16(std::int64_t i, Where where = Where::current()) const {
    return read<Chunk<Value>>(i, where);
  }
  void store(std::int64_t i, Value value, Where where = Where::current()) const {
    write(i, value, where);
  }
  void store16(std::int64_t i, const Chunk<Value>& chunk, Where where = Where::current()) const {
    write(i, chunk, where);
  }
  // Commits when the launch has ended, in the order of the schedule.
  void atomic_add(std::int64_t i, float value, Where where = Where::current()) const {
    static_assert(std::is_same_v<T, float>, "only binary32 has an atomic sum");
    current_block->count_steps(1, where);
    if (!permits<Value>(i, where)) return;
    current_block->add_atomically(*tensor_, i, data_ + i, value, where);
  }

 private:
  // How many T travel together.
  template <class Moved>
  static constexpr int kMoved = static_cast<int>(sizeof(Moved) / sizeof(T));

  template <class Moved>
  [[nodiscard]] bool permits(std::int64_t i, Where where) const {
    const char* const name = tensor_ == nullptr ? "no tensor" : tensor_->name().c_str();
    if (i < 0 || i > count_ - kMoved<Moved>) {
      report_access(Finding::Kind::out_of_bounds, name, i, count_, where);
      return false;
    }
    if (i % kMoved<Moved> != 0) {
      report_access(Finding::Kind::misaligned, name, i, count_, where);
      return false;
    }
    return true;
  }
  template <class Moved>
  [[nodiscard]] Moved read(std::int64_t i, Where where) const {
    current_block->count_steps(1, where);
    if (!permits<Moved>(i, where)) return poison_value<Moved>();
    Moved moved;
    current_block->note_global_read(*tensor_, i, kMoved<Moved>, sizeof moved, where);
    std::memcpy(&moved, data_ + i, sizeof moved);
    return moved;
  }
  template <class Moved>
  void write(std::int64_t i, const Moved& moved, Where where) const {
    current_block->count_steps(1, where);
    if (!permits<Moved>(i, where)) return;
    current_block->note_global_write(*tensor_, i, kMoved<Moved>, sizeof moved, where);
    std::memcpy(data_ + i, &moved, sizeof moved);
  }

  T* data_ = nullptr;
  std::int64_t count_ = 0;
  GlobalTensor* tensor_ = nullptr;
};

}  // namespace cpu
}  // namespace attest
