#include "oracle/rounded_query.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/lanes.hpp"
#include "oracle/pair_magnitudes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
// Pays for a handful of roundings in a line of binary64.
constexpr double kUpward = 1 + 0x1p-45;
// Beyond, bounds of P would no longer be sharp.
constexpr double kLargestError = 0x1p-20;
// Of a stored LSE below the exact one: its exponentials stay far from the end of binary64.
constexpr double kLargestShift = 600;
// Where exp_of keeps its promise.
constexpr double kReach = 709;

double norm_of(const double* x, Index columns) {
  double sum = 0;
  for (Index c = 0; c < columns; ++c) {
    if (std::isfinite(x[c])) sum += x[c] * x[c];
  }
  // Squares of inputs of up to 32 bits neither overflow nor vanish.
  return std::sqrt(inflate(sum, columns + 1)) * kUpward;
}

struct Centred {
  double value = 0;
  double radius = 0;
};

Centred centre_of(const Enclosure& e) {
  const double value = e.lo / 2 + e.hi / 2;
  return {value, std::max(e.hi - value, value - e.lo) * kUpward + kSmallest};
}

// Adds a rounding of `value` to its radius.
void pay_rounding(Centred& x, double roundings) {
  x.radius = (x.radius + roundings * kRoundoff * std::fabs(x.value)) * kUpward;
}

// sum_k dO_k O_k of the exact O; both arguments per column.
Centred product_with_o(const GradientQuery& query, const Enclosure* o,
                       const ElementMoments* moments, RoundedQuery& row) {
  Centred sum;
  double size = 0;
  double off = 0;
  double mass = 0;  // sum_k |dO_k| sum_j pi_j |v_jk|
  for (std::size_t k = 0; k < query.dout.size(); ++k) {
    if (query.dout[k] == 0) continue;
    const Centred x = centre_of(o[k]);
    const double dout = std::fabs(query.dout[k]);
    sum.value += query.dout[k] * x.value;
    size += dout * std::fabs(x.value);
    off += dout * x.radius;
    mass += dout * moments[k].sum_pi_abs_v;
  }
  const auto columns = static_cast<Index>(query.dout.size());
  size = inflate(size, columns + 1, columns);
  off = inflate(off, columns + 4, columns);
  sum.radius =
      (off + gamma_in_binary64(columns + 1) * size + static_cast<double>(columns) * kSmallest) *
      kUpward;
  // A sharper answer bounds the same by a sum over keys, up to roundings of its terms (Lemma 11).
  const auto keys = static_cast<double>(row.live.end - row.live.first);
  const double of_sum = inflate(mass, columns + 4, columns) * (keys + 16) * 0x1p-52;
  row.abs_dout_o = (size + off + of_sum) * kUpward;
  row.dout_o_excess = 3 * (off + of_sum);
  return sum;
}

// The same of a stored O, an input.
Centred product_with_stored(const GradientQuery& query, RoundedQuery& row) {
  Centred sum;
  for (std::size_t k = 0; k < query.dout.size(); ++k) sum.value += query.dout[k] * query.o[k];
  row.abs_dout_o = sum_abs_products(query.dout, query.o);
  if (row.abs_dout_o == 0) return {};
  const auto columns = static_cast<Index>(query.dout.size());
  sum.radius =
      (gamma_in_binary64(columns + 1) * row.abs_dout_o + static_cast<double>(columns) * kSmallest) *
      kUpward;
  return sum;
}

// What turns the exact sum into sum_j P_j dP_j over P = exp(s - stored L).
void multiply_by_factor(const Centred& lse, double stored, Centred& d) {
  const double log_factor = lse.value - stored;
  const double factor = std::exp(log_factor);
  const double log_error = lse.radius + kRoundoff * std::fabs(log_factor);
  const double error = (log_error + log_error * log_error + 0x1p-51) * kUpward;  // relative
  const double size = std::fabs(d.value) + d.radius;
  d.value *= factor;
  // A factor below the normal range is off absolutely.
  d.radius =
      (factor * (1 + error) * d.radius + (error * factor + 0x1p-1000) * size) * kUpward + kSmallest;
  pay_rounding(d, 1);
}

// D^ and its error, sum_k |dO_k O_k| included.
Centred row_mean(const HeadTask& task, const Answer& forward, const Centred& lse,
                 RoundedQuery& row) {
  const GradientQuery& query = task.rows[row.r];
  const std::size_t first = task.row_of(row.r) * query.dout.size();
  Centred d = task.stored && !task.d_from_p ? product_with_stored(query, row)
                                            : product_with_o(query, forward.o.data() + first,
                                                             forward.elements.data() + first, row);
  if (task.d_from_p) {
    multiply_by_factor(lse, query.lse, d);
    // The term of a budget that takes it means the stored O.
    row.abs_dout_o = sum_abs_products(query.dout, query.o);
    row.dout_o_excess = 0;
  }
  if (query.glse == 0) return d;
  d.value -= query.glse;
  pay_rounding(d, 2);
  return d;
}

}  // namespace

double gamma_in_binary64(Index operations) {
  return static_cast<double>(operations) * kRoundoff * (1 + 0x1p-20);
}

KeyNorms norms_of(const GradientHead& head) {
  KeyNorms norms;
  norms.column_of_k.resize(static_cast<std::size_t>(head.keys.d_qk));
  const auto keys = static_cast<Index>(head.k_specials.size());
  for (Index j = 0; j < keys; ++j) {
    norms.k.push_back(norm_of(head.keys.k_row(j), head.keys.d_qk));
    norms.v.push_back(norm_of(head.keys.v_row(j), head.keys.d_v));
    norms.largest_k = std::max(norms.largest_k, norms.k.back());
    norms.largest_v = std::max(norms.largest_v, norms.v.back());
    const double* k = head.keys.k_row(j);
    for (std::size_t c = 0; c < norms.column_of_k.size(); ++c) {
      if (std::isfinite(k[c]))
        norms.column_of_k[c] = std::max(norms.column_of_k[c], std::fabs(k[c]));
    }
  }
  return norms;
}

std::optional<RoundedQuery> round_query(const HeadTask& task, const KeyNorms& norms,
                                        const Answer& forward, std::size_t r) {
  const GradientQuery& query = task.rows[r];
  const Problem& p = task.problem;
  RoundedQuery row;
  row.r = r;
  row.live = task.parts[r].live;
  row.scores = task.parts[r].ds == OutputClass::finite;
  row.q_norm = norm_of(query.query.q.data(), p.d_qk);
  row.dout_norm = norm_of(query.dout.data(), p.d_v);

  const Enclosure& exact = forward.lse[task.row_of(r)];
  const Centred lse = centre_of(exact);
  if (!(lse.radius <= kLargestError)) return std::nullopt;
  row.lse = task.stored ? query.lse : lse.value;
  row.lse_error = task.stored ? 0 : lse.radius;
  const double shift =
      task.stored ? next_up(std::fabs(exact.hi)) * 0x1p-52 + (exact.hi - row.lse) : 0;
  if (!(shift <= kLargestShift)) return std::nullopt;
  row.p_bound = 1.01 * std::exp(std::max(shift, -kLargestShift));

  const double dot = p.scale * row.q_norm * norms.largest_k * kUpward;
  const double reach = std::min(kReach, (dot + std::fabs(row.lse)) * kUpward);
  row.score_error = gamma_in_binary64(p.d_qk + 1) * p.scale * row.q_norm * kUpward;
  row.log_error = (row.lse_error + kRoundoff * reach + kExpLogError) * kUpward;
  row.largest_log_error = (row.log_error + row.score_error * norms.largest_k) * kUpward;
  if (!(row.largest_log_error <= kLargestError)) return std::nullopt;
  if (!row.scores) return row;

  row.dp_error = gamma_in_binary64(p.d_v + 1) * row.dout_norm * kUpward +
                 static_cast<double>(p.d_v) * 0x1p-1000;
  const Centred d = row_mean(task, forward, lse, row);
  row.d = d.value;
  row.d_error = d.radius;
  row.largest_difference = (row.dout_norm * norms.largest_v + std::fabs(d.value) +
                            2 * (row.dp_error * norms.largest_v + d.radius)) *
                           (1 + 0x1p-30);
  if (!std::isfinite(row.largest_difference)) return std::nullopt;
  return row;
}

}  // namespace attest
