// gradient_tile.hpp - one query row over one tile of keys in binary64: from q.k and dO.v to P and
// dS, and to what their errors and all later roundings cost the sums that take them.
#pragma once

#include "core/tensor.hpp"

namespace attest {

// The row's part: error-analysis.md, Lemma 21 and error-analysis.md, Lemma 22.
struct GradientTile {
  Index width = 0;       // keys
  Index live_first = 0;  // the row's live keys, counted from the tile's first
  Index live_end = 0;
  bool scores = true;  // false: dS is 0 throughout
  double scale = 1;
  double lse = 0;
  double d = 0;
  double log_error = 0;  // relative error of P: log_error + score_error k_norm
  double score_error = 0;
  double dp_error = 0;  // error of dP - D: d_error + dp_error v_norm + a rounding
  double d_error = 0;
  double rounding = 0;     // relative, of everything that comes after
  double weight_unit = 1;  // costs are divided by these
  double score_unit = 1;
  const double* k_norm = nullptr;  // [width]
  const double* v_norm = nullptr;
};

// `dots` holds q.k and takes P, `products` holds dO.v and takes dS; both 0 where a key is not live.
void work_gradient_tile(const GradientTile& tile, double* dots, double* products,
                        float* weight_costs, float* score_costs);

}  // namespace attest
