#include "oracle/pair_magnitudes.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/upward.hpp"

namespace attest {
namespace {

// A weight that is at least pi and large enough for kShareExcess to cover a subnormal step.
double covering(double pi) { return std::max(pi, 0x1p-1000); }

// At least |sum_j pi_j y_j| times `unit` for exact pi_j, from a product with their upper bounds in
// which nothing else is uncertain, and from `size`, at least unit sum_j covering(pi_j) |y_j|:
// error-analysis.md, Lemma 11.
double magnitude_of_mean(double computed, double size, double unit, std::size_t terms) {
  if (size == 0) return 0;
  if (!(size < kInfinity)) return kInfinity;
  const auto count = static_cast<double>(terms + 2);
  const double error = product_up(kShareExcess + count * 0x1p-53, size);
  return sum_up(computed, sum_up(error, product_up(count * kSmallest, unit)));
}

}  // namespace

BackwardRow start_row(const std::vector<Index>& live, const PairMagnitudes& magnitudes,
                      const RowNumbers& numbers) {
  BackwardRow row;
  row.first_key = live.front();
  row.end_key = live.back() + 1;
  row.pairs.resize(live.size());
  for (std::size_t n = 0; n < live.size(); ++n) {
    row.pairs[n].j = live[n];
    row.pairs[n].a = magnitudes.a[n];
    row.pairs[n].abs_score = numbers.abs_score[n];
    row.max_abs_dot = std::max(row.max_abs_dot, magnitudes.abs_dot[n]);
    row.score_products = std::max(row.score_products, magnitudes.products[n]);
  }
  return row;
}

double sum_floored(const Magnified& a, const Magnified& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.floor.size(); ++k) sum += a.floor[k] * b.floor[k];
  return sum;
}

// Rows without a zero need no look at each product.
Index count_products(const GradientQuery& row, const Magnified& v) {
  const auto columns = static_cast<Index>(row.dout.size());
  if (v.nonzero == columns) return row.magnified.nonzero;
  if (row.magnified.nonzero == columns) return v.nonzero;
  Index products = 0;
  for (std::size_t k = 0; k < row.dout.size(); ++k) {
    products += row.magnified.floor[k] != 0 && v.floor[k] != 0;
  }
  return products;
}

void measure_products(const GradientHead& head, const GradientQuery& row,
                      std::vector<Pair>& pairs) {
  // Only products of two binary64 inputs can leave the range of binary64.
  const Index columns = head.keys.d_v;
  const Index underflows = head.keys.format == Format::f64 ? columns : 0;
  for (Pair& pair : pairs) {
    const Magnified& v = head.v[static_cast<std::size_t>(pair.j)];
    const double* values = head.keys.v_row(pair.j);
    double g = 0;
    for (std::size_t k = 0; k < row.dout.size(); ++k) g += std::fabs(row.dout[k] * values[k]);
    pair.products = count_products(row, v);
    pair.g = pair.products == 0 ? 0 : inflate(g, columns + 1, underflows);
    const bool floored = pair.products != 0 && (row.magnified.floored || v.floored);
    pair.g_floor =
        floored ? inflate(sum_floored(row.magnified, v), columns + 1, underflows) : pair.g;
  }
}

double sum_abs_products(std::span<const double> dout, std::span<const double> o) {
  double sum = 0;
  bool any = false;
  for (std::size_t k = 0; k < dout.size(); ++k) {
    sum += std::fabs(dout[k] * o[k]);
    any = any || (dout[k] != 0 && o[k] != 0);
  }
  if (!any) return 0;
  const auto terms = static_cast<Index>(dout.size());
  return inflate(sum, terms + 1, terms);
}

double sum_abs_dout_o(const GradientHead& head, const GradientQuery& row,
                      const std::vector<Pair>& pairs) {
  std::vector<double> o(row.dout.size());
  double size = 0;  // sum_k |dO_k| sum_j covering(pi_j) |v_jk|
  for (const Pair& pair : pairs) {
    const double* v = head.keys.v_row(pair.j);
    for (std::size_t k = 0; k < o.size(); ++k) o[k] += pair.pi * v[k];
    size += covering(pair.pi) * pair.g;
  }
  const auto terms = static_cast<Index>(pairs.size());
  size = inflate(size, terms + 1, terms);
  double unit = 0;
  for (const double x : row.dout) unit += std::fabs(x);
  unit = inflate(unit, static_cast<Index>(row.dout.size()));
  return magnitude_of_mean(sum_abs_products(row.dout, o), size, unit, pairs.size());
}

std::vector<double> mean_key(const GradientHead& head, const std::vector<Pair>& pairs) {
  const auto columns = static_cast<std::size_t>(head.keys.d_qk);
  std::vector<double> mean(columns);
  std::vector<double> size(columns);
  for (const Pair& pair : pairs) {
    const double* k = head.keys.k_row(pair.j);
    for (std::size_t c = 0; c < columns; ++c) {
      mean[c] += pair.pi * k[c];
      size[c] += covering(pair.pi) * std::fabs(k[c]);
    }
  }
  const auto terms = static_cast<Index>(pairs.size());
  for (std::size_t c = 0; c < columns; ++c) {
    const double bound = size[c] == 0 ? 0 : inflate(size[c], terms + 1, terms);
    mean[c] = magnitude_of_mean(std::fabs(mean[c]), bound, 1, pairs.size());
  }
  return mean;
}

}  // namespace attest
