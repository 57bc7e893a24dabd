// doubled_weights.hpp - scores and weights of one row in doubled numbers, with what is proved about
// them: what score_row.hpp and weights.hpp do in multiprecision.
#pragma once

#include <optional>
#include <vector>

#include "oracle/doubled.hpp"
#include "oracle/row_numbers.hpp"

namespace attest {

// error-analysis.md, Lemma 28 and error-analysis.md, Theorem 19.
//
// The shift m^ is the largest computed score, a doubled number; W_j = exp(s_j - m^). Keys that are
// sure to lie more than 600 below it are not kept: they have no weight here, only a bound.
struct DoubledWeights {
  std::vector<Doubled<double>> s;
  std::vector<double> radius;       // |s[n] - exact score| is at most this
  std::vector<Doubled<double>> z;   // s[n] - m^
  std::vector<double> gap_error;    // at least the error of z[n] as the exact score minus m
  std::vector<Doubled<double>> w;   // 0 where not kept
  std::vector<unsigned char> kept;  // per key
  std::size_t argmax = 0;           // the first of the largest s
  Index kept_count = 0;
  double log_error = 0;    // Lambda: |log w_j - log W_j| <= Lambda for every kept key
  double shift_error = 0;  // at least |m^ - m|
  double relative = 0;     // t: |sum - exact| <= t exact, and likewise termwise for sums w_j v_j
  Doubled<double> sum{};   // of the kept weights

  [[nodiscard]] Doubled<double> shift() const { return s[argmax]; }
  // m - s_j from both sides.
  [[nodiscard]] double gap_most(std::size_t n) const;
  [[nodiscard]] double gap_least(std::size_t n) const;
};

// Nothing where the row's weights would not be sharp (kSharpLogError), or a magnitude leaves the
// range in which the results hold. Requires: at least one key; inputs of at most 32 bits.
[[nodiscard]] std::optional<DoubledWeights> weigh_in_doubled(const RowTask& task);

// Upper bounds of exp(s_j - L).
[[nodiscard]] std::vector<double> weight_bounds(const DoubledWeights& weights);

// The row sum in the frame of the exact maximum.
[[nodiscard]] Enclosure enclose_sum_exp(const DoubledWeights& weights);

// L and an upper bound of its error.
struct DoubledLse {
  Doubled<double> value;
  double radius = 0;
};
[[nodiscard]] DoubledLse lse_of(const DoubledWeights& weights);

// Fills max_score, argmax, keys_near_max and, for each key, gap, gap_least and abs_score.
void bound_scores(const DoubledWeights& weights, RowNumbers& numbers);

// A number >= 0 from above and from below.
[[nodiscard]] double upper_end(const Doubled<double>& x);
[[nodiscard]] double lower_end(const Doubled<double>& x);
// At least |x|.
[[nodiscard]] double magnitude_up(const Doubled<double>& x);

// [centre - radius, centre + radius], rounded outward.
[[nodiscard]] Enclosure enclose(const Doubled<double>& centre, double radius);

}  // namespace attest
