// Goal: a tensor lies at an edge of its pages, nothing beside it changes unseen, and no worker can
// pull the memory away.
#include "harness/subjects/isolation/arena.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

namespace attest::arena_test {
namespace {

TEST(SliceLayout, PutsDataAgainstTheEdgeThatItWasAskedFor) {
  SliceLayout right(Edge::right);
  const Slice first = right.place(100, 2, false);
  EXPECT_EQ(first.begin + first.size, kPageBytes);
  const Slice second = right.place(3 * kPageBytes, 4, true);
  EXPECT_EQ(second.pages, 3U);
  EXPECT_EQ(second.begin, 0U);
  EXPECT_GE(second.address, first.address + kPageBytes + kGuardGap);
  EXPECT_EQ(second.file, first.file + kPageBytes);
  SliceLayout left(Edge::left, right);
  const Slice third = left.place(100, 2, false);
  EXPECT_EQ(third.begin, 0U);
  EXPECT_GE(third.address, second.address + 3 * kPageBytes + kGuardGap);
}

TEST(SliceLayout, KeepsAnAlignmentThatIsCoarserThanTheEdge) {
  SliceLayout right(Edge::right);
  EXPECT_EQ(right.place(100, 64, false).begin, kPageBytes - 128);
  EXPECT_EQ(right.place(0, 2, false).pages, 1U);  // one that is empty has a place, too
}

TEST(SharedArena, SeesAChangedGuardAndSaysHowFarAway) {
  const SharedArena arena(1 << 20);
  for (const Edge edge : {Edge::right, Edge::left}) {
    SliceLayout layout(edge);
    const Slice slice = layout.place(100, 16, true);
    arena.write_guards(slice);
    for (std::byte& one : arena.data(slice)) one = std::byte{0xff};
    EXPECT_EQ(arena.changed_guard(slice), 0);
    std::byte* const data = arena.data(slice).data();
    if (edge == Edge::left) {
      data[100] ^= std::byte{1};
      EXPECT_EQ(arena.changed_guard(slice), 100);
    } else {
      data[-1] ^= std::byte{1};
      EXPECT_EQ(arena.changed_guard(slice), -1);
      data[105] ^= std::byte{1};  // past the end, before the edge
      EXPECT_EQ(arena.changed_guard(slice), 105);
    }
  }
}

TEST(SharedArena, HasGuardWordsThatAreSubnormalInEveryFormat) {
  const SharedArena arena(1 << 20);
  SliceLayout layout(Edge::left);
  const Slice slice = layout.place(8, 8, true);
  arena.write_guards(slice);
  const std::byte* const guards = arena.data(slice).data() + 8;
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    const auto width = static_cast<std::size_t>(bytes_of(format));
    for (std::size_t at = 0; at < 64; at += width) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, guards + at, width);
      EXPECT_EQ(classify(format, bits), ValueClass::subnormal) << shape_of(format).name;
    }
  }
}

TEST(SharedArena, CannotBeCutOffNorGrownByWhoHoldsItsDescriptor) {
  const SharedArena arena(1 << 20);
  EXPECT_NE(ftruncate(arena.descriptor(), 0), 0);
  EXPECT_NE(ftruncate(arena.descriptor(), 1 << 21), 0);
  EXPECT_NE(fcntl(arena.descriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

TEST(Poison, IsANanOfItsOwnInEachFormat) {
  for (const Format format : kFormats) {
    std::set<std::uint64_t> patterns;
    for (const Poison poison : {Poison::first, Poison::second}) {
      patterns.insert(poison_of(format, poison));
      EXPECT_EQ(classify(format, poison_of(format, poison)), ValueClass::nan)
          << shape_of(format).name;
    }
    EXPECT_EQ(patterns.size(), 2U);
  }
  std::byte bytes[7] = {};
  fill_with_poison(bytes, Format::f16, Poison::second);
  EXPECT_EQ(bytes[0], std::byte{0xca});
  EXPECT_EQ(bytes[5], std::byte{0xff});
  EXPECT_EQ(bytes[6], std::byte{0});  // no room for another one
}

}  // namespace
}  // namespace attest::arena_test
