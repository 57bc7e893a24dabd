// arena.hpp - memory that attest shares with a worker, and where tensors lie in it.
//
// In the worker's address space a tensor ends, or begins, where its pages do, and what lies next to
// them is not mapped: the first byte beyond is a fault. Between the data and the other end of its
// pages stand guard words, subnormal in every format, so that reading them goes unnoticed while
// writing back what was read through flushing arithmetic does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/format.hpp"
#include "harness/subjects/isolation/messages.hpp"

namespace attest {

inline constexpr std::uint64_t kPageBytes = 4096;
// Not mapped, before and behind each tensor's pages.
inline constexpr std::uint64_t kGuardGap = 16 * kPageBytes;

// Where the data lie in their pages.
enum class Edge : std::uint8_t { right, left };

// Places one slice behind the other.
class SliceLayout {
 public:
  // Starts where `after` has ended, or behind the page of notes (fault_note.hpp).
  explicit SliceLayout(Edge edge) : edge_(edge) {}
  SliceLayout(Edge edge, const SliceLayout& after)
      : edge_(edge), file_(after.file_), address_(after.address_) {}

  // `alignment` is a power of two up to a page; right-aligned data end as close to the edge as it
  // allows.
  [[nodiscard]] Slice place(std::uint64_t size, std::uint64_t alignment, bool writable);

  [[nodiscard]] std::uint64_t file_end() const { return file_; }
  [[nodiscard]] std::uint64_t address_end() const { return address_; }

 private:
  Edge edge_;
  std::uint64_t file_ = kPageBytes;
  std::uint64_t address_ = kGuardGap;
};

// How much of the worker's address space belongs to slices of an arena of so many bytes.
[[nodiscard]] std::uint64_t region_bytes(std::uint64_t arena_bytes);

// A file without a name, of a size that nobody can change: a worker that cuts it off would take
// this process with it.
class SharedArena {
 public:
  // Throws Error (ours).
  explicit SharedArena(std::uint64_t bytes);
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;
  ~SharedArena();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::byte* notes() const { return bytes_; }
  [[nodiscard]] std::span<std::byte> data(const Slice& slice) const {
    return {bytes_ + slice.file + slice.begin, slice.size};
  }
  void write_guards(const Slice& slice) const;
  // The offset, from the data's first byte, of a guard word that changed nearest to it; 0 if none
  // did.
  [[nodiscard]] std::int64_t changed_guard(const Slice& slice) const;

 private:
  std::uint64_t size_;
  int descriptor_ = -1;
  std::byte* bytes_ = nullptr;
};

// Two NaN patterns of every format, that no arithmetic gives.
enum class Poison : std::uint8_t { first, second };
[[nodiscard]] std::uint64_t poison_of(Format format, Poison poison);
// As many elements of it as fit.
void fill_with_poison(std::span<std::byte> data, Format format, Poison poison);

}  // namespace attest
