// F20: every value of V names its place: entry, head, key and column, as an integer below 256. A
// row of Q has one nonzero column, by whose sign in K half of the keys win, and O is the mean of
// their names: whatever reads another head, entry, key or column returns another number. Half of
// the cases have more heads of a group, or more entries, than other families draw.
#include <algorithm>
#include <vector>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kNames = 256;  // integers that bf16 holds
constexpr std::uint32_t kColumns = 4;
constexpr double kHeight = 96;  // at 128, a score in bf16 may be off by a factor of e

// Groups as real models have them. Few rows and keys beside them: heads and entries are what these
// cases are for.
constexpr Index kGroups[] = {5, 7, 8};
constexpr Index kMostRows = 40;

// Each entry has another length than its neighbours, as far as there are as many rows.
std::vector<Index> falling_lengths(Index batch, Index rows) {
  std::vector<Index> lengths;
  for (Index b = 0; b < batch; ++b) lengths.push_back(rows * (batch - b) / batch);
  return lengths;
}

Problem adapt(Problem p, std::uint64_t seed) {
  const std::uint32_t road = case_bits(seed, 1) % 4;
  if (road > 1) return p;
  const std::uint32_t which = case_bits(seed, 2);
  p.n_q = std::min(p.n_q, kMostRows);
  p.n_k = std::min(p.n_k, kMostRows);
  for (Index& length : p.lq) length = std::min(length, p.n_q);
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  if (road == 0) {
    p.heads_q = p.heads_k * kGroups[which % 3];
    return p;
  }
  p.batch = 4 + which % 2;
  p.heads_q /= p.heads_k;
  p.heads_k = 1;
  p.lq = which % 3 == 0 ? falling_lengths(p.batch, p.n_q) : std::vector<Index>{};
  p.lk = falling_lengths(p.batch, p.n_k);
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    return static_cast<std::uint32_t>(small_integer(seed, row, kColumns)) == at.column ? kHeight
                                                                                       : 0.0;
  });
  fill_tensor(inputs.k, kTensorK,
              [=](const Coordinates& at) { return small_integer(seed, at, 2) == 0 ? 1.0 : -1.0; });
  const std::uint32_t start = case_bits(seed, 0);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    const std::uint32_t place = start + at.row + 5 * at.column + 67 * at.h + 101 * at.b;
    return static_cast<double>(place % kNames);
  });
}

}  // namespace

Family named_places_family() {
  return {
      "F20", "V names its place", "indices of keys, heads, entries and columns", 0.3, 0.1, adapt,
      fill};
}

}  // namespace attest
