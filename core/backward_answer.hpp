// backward_answer.hpp - what the oracle says about the gradients of one case.
//
// Budgets of gradients are sums over pairs (i, j) of a query row and a key that it sees. What they
// need of a pair does not depend on any subject; the judge turns it into that pair's errors and
// adds them up itself, so there are no moments here but the pairs (docs/decisions/0014).
#pragma once

#include <vector>

#include "core/enclosure.hpp"
#include "core/problem.hpp"

namespace attest {

// One live pair (i, j). Upper bounds, unless it says otherwise. floor(x) as in core/moments.hpp.
struct Pair {
  Index j = 0;
  double pi = 0;  // exp(s_ij - L_i), with the L_i of the view; in a sharp row too large by at most
                  // 2^-48 relatively, or by 2^-1070
  double a = 0;   // scale * sum_c floor(q_ic) floor(k_jc)
  double abs_score = 0;      // |s_ij|
  double abs_log_pi = 0;     // |s_ij - L_i|, too large by at most 2^-40 of 1 + itself
  double abs_dp = 0;         // |dP_ij|, dP_ij = sum_k dO_ik v_jk
  double abs_dp_less_d = 0;  // |dP_ij - D_i|
  double g = 0;              // sum_k |dO_ik v_jk|
  double g_floor = 0;        // sum_k floor(dO_ik) floor(v_jk)
  Index products = 0;        // how many dO_ik v_jk are not zero, exactly
};

// Of one query row, in the order of Answer's rows.
struct BackwardRow {
  bool sharp = true;          // false: the weights have no useful bounds, and nothing here is tight
  Enclosure lse;              // L_i: exact, or the stored one
  Enclosure d;                // D_i = sum_k dO_ik O_ik - gL_i
  double sum_abs_dout_o = 0;  // sum_k |dO_ik O_ik|, upward, with the O of the view
  double max_abs_dot = 0;     // max over live keys of sum_c |q_ic k_jc|, unscaled, upward
  Index score_products = 0;   // max over live keys of the number of non-zero q_ic k_jc
  std::vector<Pair> pairs;    // ascending j; empty where the row takes no part
  std::vector<double> mean_key;  // [d_qk]: |sum_j pi_ij k_jc|, upward
};

// Elements in the order of the tensor: ((b * heads + h) * rows + row) * columns + column.
struct GradientAnswer {
  // finite; nan (a live NaN reaches it); undefined (nothing is judged); dead (no live pair takes
  // part: zero is due); beyond (row at or beyond the length).
  std::vector<OutputClass> classes;
  std::vector<Enclosure> values;  // [0, 0] unless finite
};

struct BackwardAnswer {
  GradientAnswer dq;
  GradientAnswer dk;
  GradientAnswer dv;
  std::vector<BackwardRow> rows;
  int bits = 0;  // the working precision that gave the enclosures; 53: binary64 with proved radii
};

}  // namespace attest
