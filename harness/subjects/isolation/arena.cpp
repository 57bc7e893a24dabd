#include "harness/subjects/isolation/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace attest {
namespace {

// As f16, bf16, f32 and f64 all of it is subnormal.
constexpr std::uint64_t kGuardWord = 0x000d'0033'0055'0033;
// Slices of two layouts, with a gap before each.
constexpr std::uint64_t kMostSlices = 32;

std::byte guard_byte(std::uint64_t at) {
  return static_cast<std::byte>(kGuardWord >> (8 * (at % sizeof kGuardWord)));
}

}  // namespace

Slice SliceLayout::place(std::uint64_t size, std::uint64_t alignment, bool writable) {
  const std::uint64_t pages = std::max<std::uint64_t>(1, (size + kPageBytes - 1) / kPageBytes);
  const std::uint64_t latest = (pages * kPageBytes - size) / alignment * alignment;
  const Slice slice{file_, address_, pages, edge_ == Edge::right ? latest : 0, size, writable};
  file_ += pages * kPageBytes;
  address_ += pages * kPageBytes + kGuardGap;
  return slice;
}

std::uint64_t region_bytes(std::uint64_t arena_bytes) {
  return arena_bytes + (kMostSlices + 1) * kGuardGap;
}

SharedArena::SharedArena(std::uint64_t bytes)
    : size_((bytes + kPageBytes - 1) / kPageBytes * kPageBytes) {
  descriptor_ = memfd_create("attest", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  void* mapped = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(size_)) == 0 &&
      fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  }
  if (mapped == MAP_FAILED) {
    const std::string why = std::strerror(errno);
    if (descriptor_ >= 0) close(descriptor_);
    throw Error(Blame::ours, "cannot share " + std::to_string(size_) + " bytes: " + why);
  }
  bytes_ = static_cast<std::byte*>(mapped);
}

SharedArena::~SharedArena() {
  munmap(bytes_, size_);
  close(descriptor_);
}

void SharedArena::write_guards(const Slice& slice) const {
  std::byte* const pages = bytes_ + slice.file;
  for (std::uint64_t at = 0; at < slice.begin; ++at) pages[at] = guard_byte(at);
  for (std::uint64_t at = slice.begin + slice.size; at < slice.pages * kPageBytes; ++at) {
    pages[at] = guard_byte(at);
  }
}

std::int64_t SharedArena::changed_guard(const Slice& slice) const {
  const std::byte* const pages = bytes_ + slice.file;
  const std::uint64_t end = slice.begin + slice.size;
  for (std::uint64_t at = end; at < slice.pages * kPageBytes; ++at) {
    if (pages[at] != guard_byte(at)) return static_cast<std::int64_t>(at - slice.begin);
  }
  for (std::uint64_t at = slice.begin; at > 0; --at) {
    if (pages[at - 1] != guard_byte(at - 1)) {
      return static_cast<std::int64_t>(at - 1) - static_cast<std::int64_t>(slice.begin);
    }
  }
  return 0;
}

std::uint64_t poison_of(Format format, Poison poison) {
  const bool first = poison == Poison::first;
  switch (bytes_of(format)) {
    case 8: return first ? 0x7ff4'adde'5a5a'0c1d : 0xfff7'1234'5678'9abd;
    case 4: return first ? 0x7fb5'c0de : 0xffca'3b1d;
    case 2: return first ? 0x7fb5 : 0xffca;
    default: return first ? 0x7f : 0xff;
  }
}

void fill_with_poison(std::span<std::byte> data, Format format, Poison poison) {
  const std::uint64_t pattern = poison_of(format, poison);
  const auto width = static_cast<std::size_t>(bytes_of(format));
  for (std::size_t at = 0; at + width <= data.size(); at += width) {
    std::memcpy(data.data() + at, &pattern, width);
  }
}

}  // namespace attest
