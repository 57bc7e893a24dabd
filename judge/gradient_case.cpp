#include "judge/gradient_case.hpp"

#include <algorithm>

namespace attest {

GradientCase::GradientCase(const Problem& problem, const Inputs& inputs, const Answer& forward,
                           const BackwardAnswer& exact, View view, const BackwardArithmetic& a,
                           Bounds bounds)
    : problem_(problem),
      forward_(forward),
      exact_(exact),
      arithmetic_(a),
      q_(OperandMagnitudes::of_queries(inputs.q.view(), problem, a.shared,
                                       operand_floor(a.shared, problem.in))),
      k_(inputs.k.view(), operand_floor(a.shared, problem.in)),
      dout_(inputs.dout.view(), operand_floor(a.shared, problem.in)),
      bounds_(bounds),
      costs_(exact.rows.size()) {
  if (bounds == Bounds::least) {
    for (const BackwardRow& row : exact.rows) least_rows_.push_back(least_of(row));
  }
  for (Index n = 0; n <= problem.d_v; ++n) {
    gam_of_dp_.push_back(gam_of_dot(a.shared, problem.d_v, n));
  }
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h = 0; h < problem.heads_q; ++h) {
      for (Index i = 0; i < problem.n_q; ++i) {
        if (row(b, h, i).pair_count() == 0) continue;
        costs_[row_index(problem, b, h, i)] = costs_of_row(b, h, i, view == View::stage_wise);
      }
    }
  }
}

RowCosts GradientCase::costs_of_row(Index b, Index h, Index i, bool stage_wise) const {
  StoredError stored;
  if (needs_forward(arithmetic_, stage_wise)) {
    stored = stored_error(problem_, arithmetic_.shared, forward_, row_index(problem_, b, h, i),
                          dout(b, h, i).plain, bounds_);
  }
  std::vector<Pair> room;
  if (needs_pairs(arithmetic_)) {
    const std::span<const Pair> all = pairs(b, h, i, room);
    room.assign(all.begin(), all.end());
    for (Pair& pair : room) pair = taken(pair, b, h, i);
  }
  const RowInputs in{row(b, h, i),       room,      k_.sums(b, key_head_of(h)), gam_of_dp_.data(),
                     dout_.sum(b, h, i), stage_wise};
  return row_costs(problem_, arithmetic_, in, stored);
}

GradientCase::PairErrors GradientCase::errors_of(const Pair& pair, const RowCosts& costs, Index b,
                                                 Index key_head) const {
  PairErrors e;
  e.weight = weight_error(arithmetic_, costs, pair, kappa(b, key_head, pair.j));
  const double gam = gam_of_dp_[static_cast<std::size_t>(pair.products)];
  e.score_gradient =
      score_gradient_error(arithmetic_, costs, pair, e.weight, dp_error(arithmetic_, pair, gam));
  return e;
}

std::vector<double> GradientCase::gams_of_keys(Index b, Index first, Index last) const {
  struct Count {
    Index rows = 0;
    Index tiles = 0;
    Index last_tile = -1;
  };
  std::vector<Count> counts(static_cast<std::size_t>(problem_.n_k));
  for (Index h = first; h < last; ++h) {
    for (Index i = 0; i < problem_.n_q; ++i) {
      const Index tile = h * problem_.n_q + i / arithmetic_.tile_q;  // differs from head to head
      const BackwardRow& of = row(b, h, i);
      for (Index j = of.first(); j < of.end(); ++j) {
        Count& count = counts[static_cast<std::size_t>(j)];
        ++count.rows;
        if (count.last_tile != tile) ++count.tiles;
        count.last_tile = tile;
      }
    }
  }
  std::vector<double> gams(counts.size());
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j].rows > 0) gams[j] = gam_of_key(arithmetic_, counts[j].rows, counts[j].tiles);
  }
  return gams;
}

double GradientCase::gam_of_row(const BackwardRow& row) const {
  return gam_of_dq(arithmetic_, row.first(), row.end() - 1, row.pair_count());
}

Finish GradientCase::finish_dq(const BackwardRow& row) const {
  Finish how;
  how.sigma = problem_.scale;
  how.scaled = true;
  const Index tiles = (row.end() - 1) / arithmetic_.dq_tile - row.first() / arithmetic_.dq_tile + 1;
  how.operations = static_cast<double>(row.pair_count() + (arithmetic_.shared.ftz ? tiles : 0));
  return how;
}

Finish GradientCase::finish_dk(const KeySums& sums, Index j, Index c) const {
  Finish how = finish_dv(sums, j, c);
  how.sigma = problem_.scale;
  how.scaled = true;
  how.heads_sum *= how.sigma;
  // A Q that carries the scale leaves what underflows in the sum unscaled.
  if (arithmetic_.shared.scale_at.q) how.operations /= std::min(1.0, how.sigma);
  return how;
}

Finish GradientCase::finish_dv(const KeySums& sums, Index j, Index c) const {
  Finish how;
  how.operations = static_cast<double>(sums.key(j).pairs);
  how.per_head = arithmetic_.per_head.has_value();
  how.heads = group();
  how.live_heads = sums.key(j).live_heads;
  how.heads_sum = sums.size(j, c) * upward(sums.key(j).pairs);
  return how;
}

}  // namespace attest
