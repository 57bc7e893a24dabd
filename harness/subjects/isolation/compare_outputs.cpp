#include "harness/subjects/isolation/compare_outputs.hpp"

#include <algorithm>
#include <cstring>

#include "harness/subjects/isolation/arena.hpp"

namespace attest {
namespace {

// No key is live for the row. The ends of its band are clamped before they are added, so that
// nothing overflows.
bool is_dead(const Problem& p, Index b, Index i) {
  const Index lk = p.live_keys(b);
  const Index far = p.n_q + p.n_k + 1;  // beyond every key, whatever the row
  const Index middle = i + (p.align == Align::bottom_right ? lk - p.live_queries(b) : 0);
  const Index first = std::max<Index>(0, middle - std::clamp(p.left, -far, far));
  const Index last = std::min(lk - 1, middle + std::clamp(p.right, -far, far));
  return first > last;
}

bool is_open(const Problem& p, const Semantics& semantics, const CallShape& shape, Index b,
             Index row) {
  const Index length = shape.by_keys ? p.live_keys(b) : p.live_queries(b);
  if (row >= length) return semantics.beyond_lengths != BeyondLengths::zero;
  const bool open_o = shape.name == "o" && semantics.dead_o == DeadO::unspecified;
  const bool open_lse = shape.name == "lse" && semantics.dead_lse == DeadLse::unspecified;
  return (open_o || open_lse) && is_dead(p, b, row);
}

std::string place_of(const CallShape& shape, Index b, Index h, Index row, Index column) {
  std::string text = std::string(shape.name) + "[b=" + std::to_string(b) +
                     " h=" + std::to_string(h) + (shape.by_keys ? " j=" : " i=") +
                     std::to_string(row);
  if (shape.name != "lse") text += " d=" + std::to_string(column);
  return text + "]";
}

std::string hex(std::uint64_t bits, int bytes) {
  std::string text;
  for (int digit = 2 * bytes - 1; digit >= 0; --digit) {
    text += "0123456789abcdef"[(bits >> (4 * digit)) & 15];
  }
  return text;
}

std::uint64_t bits_at(const std::byte* at, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(bytes));
  return bits;
}

// One row of an output in both calls.
void compare_row(const CallShape& shape, Index b, Index h, Index row, const std::byte* first,
                 const std::byte* second, Differences& found) {
  const int bytes = bytes_of(shape.format);
  const std::uint64_t poison = poison_of(shape.format, Poison::first);
  const std::uint64_t other_poison = poison_of(shape.format, Poison::second);
  for (Index column = 0; column < shape.extents[3]; ++column) {
    const std::uint64_t one = bits_at(first + column * bytes, bytes);
    const std::uint64_t other = bits_at(second + column * bytes, bytes);
    if (one == other) continue;
    const bool unwritten = one == poison || other == other_poison;
    std::string& place = unwritten ? found.unwritten : found.different;
    if (!place.empty()) continue;
    place = place_of(shape, b, h, row, column);
    if (!unwritten) place += " is " + hex(one, bytes) + ", and " + hex(other, bytes);
  }
}

}  // namespace

Differences compare_outputs(const Problem& problem, const Semantics& semantics,
                            const std::vector<CallShape>& shapes, const std::vector<Bytes>& first,
                            const std::vector<Bytes>& second) {
  Differences found;
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    const CallShape& shape = shapes[n];
    const auto row_bytes = static_cast<std::size_t>(shape.extents[3] * bytes_of(shape.format));
    const std::byte* one = first[n].data();
    const std::byte* other = second[n].data();
    for (Index b = 0; b < shape.extents[0]; ++b) {
      for (Index h = 0; h < shape.extents[1]; ++h) {
        for (Index row = 0; row < shape.extents[2]; ++row) {
          const bool same = std::memcmp(one, other, row_bytes) == 0;
          if (!same && !is_open(problem, semantics, shape, b, row)) {
            compare_row(shape, b, h, row, one, other, found);
          }
          one += row_bytes;
          other += row_bytes;
        }
      }
    }
  }
  return found;
}

}  // namespace attest
