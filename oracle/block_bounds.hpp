// block_bounds.hpp - from the sums of one row's pass in binary64 to proved enclosures and moments.
#pragma once

#include "core/answer.hpp"
#include "oracle/mask.hpp"
#include "oracle/score_tile.hpp"
#include "oracle/wide_head.hpp"

namespace attest {

// a_j of core/moments.hpp is at most `unit` times the binary32 product of scaled floors, plus
// `least`.
struct MagnitudeScale {
  double unit = 1;
  double least = 0;
};

[[nodiscard]] MagnitudeScale magnitude_scale(const Problem& problem, double q_unit, double k_unit);

// error-analysis.md, Theorem 17 and error-analysis.md, Lemma 18.
class BlockBounds {
 public:
  BlockBounds(const Problem& problem, const WideHead& head, KeyRange live, const RowSums& sums);

  // Are the row's weights sharp, and all of its numbers inside the ranges that the results need?
  [[nodiscard]] bool usable() const { return usable_; }

  // `o` and `spread` as QueryBlock sums them up. False, and nothing is written, where a magnitude
  // left binary32.
  [[nodiscard]] bool write(const double* o, const float* spread, std::size_t row,
                           Answer& answer) const;

 private:
  void bound_row(const RowSums& sums, double largest_gap);
  [[nodiscard]] bool write_element(double numerator, float size, float square, Index k,
                                   std::size_t element, Answer& answer) const;

  const Problem& problem_;
  const WideHead& head_;
  KeyRange live_;
  bool usable_ = false;
  double l_ = 0;       // the computed row sum, in the frame of the computed maximum
  double t_ = 0;       // Theorem 2's
  double grow_ = 1;    // what a mean over computed weights may have to grow by
  double up_ = 0;      // what a sum in binary32 becomes as an upper bound of its mean, and
  double low_ = 0;     // as a lower one
  double floor_ = 0;   // smallest normal of the input format
  FactorSums norm_{};  // upper bounds of sqrt(sum pi f^2)
  RowMoments row_;
  Enclosure lse_;
};

}  // namespace attest
