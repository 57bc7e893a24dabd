// backward_answer.hpp - what the oracle says about the gradients of one case.
//
// Budgets of gradients are sums over pairs (i, j) of a query row and a key that it sees. What they
// need of a pair does not depend on any subject; the judge turns it into that pair's errors and
// adds them up itself, so there are no moments here but the pairs (docs/decisions/0014).
//
// A short row's pairs are kept; those of an answer by blocks are made when they are asked for, row
// by row, so that memory grows with n d and never with n^2.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/enclosure.hpp"
#include "core/problem.hpp"

namespace attest {

// One live pair (i, j). Upper bounds, unless it says otherwise. floor(x) as in core/moments.hpp.
struct Pair {
  Index j = 0;
  double pi = 0;  // exp(s_ij - L_i), with the L_i of the view; in a sharp row that is not loose
                  // too large by at most 2^-48 relatively, or by 2^-1070
  double a = 0;   // scale * sum_c floor(q_ic) floor(k_jc)
  double abs_score = 0;      // |s_ij|
  double abs_log_pi = 0;     // |s_ij - L_i|, too large by at most 2^-40 of 1 + itself
  double abs_dp = 0;         // |dP_ij|, dP_ij = sum_k dO_ik v_jk
  double abs_dp_less_d = 0;  // |dP_ij - D_i|
  double g = 0;              // sum_k |dO_ik v_jk|
  double g_floor = 0;        // sum_k floor(dO_ik) floor(v_jk)
  Index products = 0;        // how many dO_ik v_jk are not zero, exactly
};

// By how much the bounds of a loose row and of its pairs may exceed what they bound, so that a
// judge knows what sharper ones could still change (docs/error-analysis.md, Lemma 24). `relative`
// is a share of the bound itself, everywhere; what stands beside it comes on top.
struct PairExcess {
  double relative = 0;  // of pi also 2^-950; of abs_dp and abs_dp_less_d this share of g as well
  double score = 0;     // of abs_score and abs_log_pi
  double d = 0;         // of abs_dp_less_d
  double dout_o = 0;    // of sum_abs_dout_o
  double mean_key = 0;  // of each column
};

// Of one query row, in the order of Answer's rows.
struct BackwardRow {
  bool sharp = true;          // false: the weights have no useful bounds, and nothing here is tight
  Enclosure lse;              // L_i: exact, or the stored one
  Enclosure d;                // D_i = sum_k dO_ik O_ik - gL_i
  double sum_abs_dout_o = 0;  // sum_k |dO_ik O_ik|, upward, with the O of the view
  double max_abs_dot = 0;     // max over live keys of sum_c |q_ic k_jc|, unscaled, upward
  Index score_products = 0;   // max over live keys of the number of non-zero q_ic k_jc
  Index first_key = 0;        // where a source gives the pairs: those with first_key <= j < end_key
  Index end_key = 0;
  std::vector<Pair> pairs;       // ascending j; empty where a source gives them, or there are none
  std::vector<double> mean_key;  // [d_qk]: |sum_j pi_ij k_jc|, upward
  bool loose = false;            // `excess` says how sharp the bounds are
  PairExcess excess;

  // The keys of its pairs, first() <= j < end(); none where the row takes no part.
  [[nodiscard]] Index first() const { return pairs.empty() ? first_key : pairs.front().j; }
  [[nodiscard]] Index end() const { return pairs.empty() ? end_key : pairs.back().j + 1; }
  [[nodiscard]] Index pair_count() const { return end() - first(); }
};

// Makes pairs when they are asked for.
class PairSource {
 public:
  PairSource() = default;
  PairSource(const PairSource&) = delete;
  PairSource& operator=(const PairSource&) = delete;
  virtual ~PairSource() = default;

  // The row's pairs with keys first <= j < end. Requires: end - first places, keys of the row.
  // Threads may call it at once.
  virtual void fill(std::size_t row, Index first, Index end, Pair* pairs) const = 0;
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
  std::shared_ptr<const PairSource> source;  // of the pairs of every row that keeps none itself

  // Made from the forward's binary64 answer, not from sharp weights?
  [[nodiscard]] bool is_loose() const { return source != nullptr; }

  // The row's pairs, in `room` if they have to be made.
  [[nodiscard]] std::span<const Pair> pairs_of(std::size_t row, std::vector<Pair>& room) const {
    const BackwardRow& of = rows[row];
    if (!of.pairs.empty() || of.pair_count() == 0) return of.pairs;
    room.resize(static_cast<std::size_t>(of.pair_count()));
    source->fill(row, of.first(), of.end(), room.data());
    return room;
  }
  // Of one key of the row.
  [[nodiscard]] Pair pair_of(std::size_t row, Index j) const {
    const BackwardRow& of = rows[row];
    if (!of.pairs.empty()) return of.pairs[static_cast<std::size_t>(j - of.first())];
    Pair pair;
    source->fill(row, j, j + 1, &pair);
    return pair;
  }
};

}  // namespace attest
