#include "oracle/hulls.hpp"

#include "oracle/lanes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// A loop that compilers turn into vectors.
ATTEST_WIDEST_LANES
void widen(const double* x, std::size_t columns, double* __restrict lo, double* __restrict hi) {
  for (std::size_t c = 0; c < columns; ++c) {
    lo[c] = x[c] < lo[c] ? x[c] : lo[c];
    hi[c] = x[c] > hi[c] ? x[c] : hi[c];
  }
}

}  // namespace

std::vector<Enclosure> hulls(const RowTask& task) {
  const auto columns = static_cast<std::size_t>(task.head.d_v);
  std::vector<double> lo(columns, kInfinity);
  std::vector<double> hi(columns, -kInfinity);
  for (const Index j : task.keys) widen(task.head.v_row(j), columns, lo.data(), hi.data());
  std::vector<Enclosure> hull;
  hull.reserve(task.columns.size());
  for (const Index k : task.columns) {
    hull.push_back({lo[static_cast<std::size_t>(k)], hi[static_cast<std::size_t>(k)]});
  }
  return hull;
}

}  // namespace attest
