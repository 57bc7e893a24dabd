#include "judge/replayed_sums.hpp"

#include <algorithm>
#include <cmath>

#include "judge/widened_rows.hpp"

namespace attest {
namespace {

constexpr double kLargest = 0x1p127;  // half of where binary32 ends

double magnitude(const RoundedSet& set) { return std::max(-set.lo, set.hi); }

}  // namespace

OperandRows::OperandRows(ConstTensorView tensor, Index b, Index h, double floor)
    : columns_(tensor.extents[3]), x_(widened_rows(tensor, b, h, 0, tensor.extents[2])) {
  seen_.reserve(x_.size());
  for (const double x : x_) seen_.push_back(x == 0 ? 0 : std::max(std::fabs(x), floor));
}

void ReplayedSums::clear() {
  std::fill(rows_.begin(), rows_.end(), Row{});
  std::fill(centre_.begin(), centre_.end(), 0);
  std::fill(half_.begin(), half_.end(), 0);
  std::fill(size_.begin(), size_.end(), 0);
}

void ReplayedSums::add(Index n, Index tile, const RoundedSet& stored, double floor,
                       const OperandRows::Row& x) {
  const double largest = magnitude(stored);
  if (largest == 0) return;
  Row& row = rows_[static_cast<std::size_t>(n)];
  ++row.products;
  row.tiles += row.last_tile != tile;
  row.last_tile = tile;
  const auto start = static_cast<std::size_t>(n * columns_);
  const double middle = stored.centre();
  const double seen = std::max(largest, floor);
  for (Index c = 0; c < columns_; ++c) {
    centre_[start + static_cast<std::size_t>(c)] += middle * x.x[c];
    size_[start + static_cast<std::size_t>(c)] += seen * x.seen[c];
  }
  const double half = stored.half_width();
  if (half == 0) return;
  for (Index c = 0; c < columns_; ++c) {
    half_[start + static_cast<std::size_t>(c)] += half * x.seen[c];
  }
}

void ReplayedSums::add_value(Index n, Index column, const RoundedSet& value) {
  const auto at = static_cast<std::size_t>(n * columns_ + column);
  centre_[at] += value.centre();
  half_[at] += value.half_width();
  size_[at] += magnitude(value);
}

Range32 ReplayedSums::sum(Index n, Index column, double gam, double eta) const {
  const Row& row = rows_[static_cast<std::size_t>(n)];
  if (row.products == 0) return {0, 0};
  const auto at = static_cast<std::size_t>(n * columns_ + column);
  const auto products = static_cast<double>(row.products);
  const double computing = (products + 8) * 0x1p-52;
  const double off = half_[at] * (1 + computing) + (gam + computing) * size_[at] + products * eta;
  if (!(size_[at] + off < kLargest)) return kAnything;
  if (size_[at] == 0) return {0, 0};
  return range32(centre_[at] - off, centre_[at] + off);
}

}  // namespace attest
