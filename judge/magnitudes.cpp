#include "judge/magnitudes.hpp"

#include <algorithm>
#include <cmath>

#include "judge/backward_arithmetic.hpp"

namespace attest {

OperandMagnitudes::OperandMagnitudes(ConstTensorView tensor, double floor)
    : extents_(tensor.extents) {
  const auto [batch, heads, rows, columns] = tensor.extents;
  plain_.reserve(static_cast<std::size_t>(volume(tensor.extents)));
  bool raised = false;
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        double sum = 0;
        double largest = 0;
        for (Index c = 0; c < columns; ++c) {
          const double x = std::fabs(tensor.value(b, h, row, c));
          plain_.push_back(x);
          raised = raised || (x != 0 && x < floor);
          sum += x;
          largest = std::max(largest, x);
        }
        sums_.push_back(sum);
        largest_.push_back(std::max(largest, floor));
      }
    }
  }
  if (!raised) return;
  seen_ = plain_;
  for (double& x : seen_) x = x == 0 ? 0 : std::max(x, floor);
}

OperandMagnitudes OperandMagnitudes::of_queries(ConstTensorView q, const Problem& problem,
                                                const Resolved& a, double floor) {
  OperandMagnitudes queries(q, floor);
  if (!a.scale_at.q) return queries;
  // As r_j of Theorem 4: a product, and the conversion of a result that was itself rounded.
  const double sigma = problem.scale;
  const double relative = unit_roundoff(*a.scale_at.q) + 2 * kU;
  const double absolute = smallest_subnormal(*a.scale_at.q) / 2 + (a.ftz ? 0x1p-126 : 0);
  const double least = operand_floor(a, *a.scale_at.q) / sigma;
  if (queries.seen_.empty()) queries.seen_ = queries.plain_;
  for (std::size_t n = 0; n < queries.plain_.size(); ++n) {
    const double x = queries.plain_[n];
    const double off = x == 0 ? 0 : relative * x + absolute / sigma;
    queries.off_.push_back(off);
    if (x != 0) queries.seen_[n] = std::max({queries.seen_[n], x + off, least});
  }
  for (double& largest : queries.largest_) {
    largest = std::max(largest * (1 + relative) + absolute / sigma, least);
  }
  return queries;
}

Magnitudes OperandMagnitudes::row(Index b, Index h, Index row) const {
  const std::size_t n = at(b, h, row);
  const std::size_t start = n * static_cast<std::size_t>(extents_[3]);
  Magnitudes m;
  m.plain = plain_.data() + start;
  m.seen = seen_.empty() ? m.plain : seen_.data() + start;
  m.off = off_.empty() ? nullptr : off_.data() + start;
  m.largest = largest_[n];
  return m;
}

}  // namespace attest
