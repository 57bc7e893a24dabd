// gradient_sums.hpp - K and V of one key head as blocks of query rows multiply by them, and what
// all rows add up to in dK and dV.
#pragma once

#include <atomic>
#include <cmath>
#include <span>
#include <vector>

#include "core/backward_answer.hpp"
#include "oracle/rounded_query.hpp"

namespace attest {

inline constexpr Index kGradientRows = 128;
inline constexpr Index kGradientKeys = 256;

// What a term may lose to underflow in binary64, in units of its factors' bounds.
inline constexpr double kLostTerm = 0x1p-990;

[[nodiscard]] inline double finite_or_zero(double x) { return std::isfinite(x) ? x : 0; }

// |x| as a binary32 number of units.
[[nodiscard]] inline float scaled(double x, double unit) {
  return static_cast<float>(std::fabs(x) / unit);
}

// Magnitudes in binary32, divided by a power of two that brings the largest to [1/2, 1).
struct ScaledSizes {
  double unit = 1;
  std::vector<float> values;       // [rows, columns]
  std::vector<double> column_max;  // largest magnitude, upward
};

// K and V of one key head as products want them, what its sums are scaled by, and the sums over
// query rows. A value that is not finite counts as 0: what it reaches is not judged by its number.
class GradientSums {
 public:
  // `rows`: those that will be added.
  GradientSums(const HeadTask& task, const KeyNorms& norms, std::span<const RoundedQuery> rows);

  // Writes the enclosures of dK and dV, once all blocks have been through.
  void write_keys(BackwardAnswer& answer) const;

 private:
  friend class GradientBlock;

  // A bound of a sum's error in its own units, from magnitudes that binary32 added up.
  [[nodiscard]] double radius_of(float size, double unit, double largest) const;
  void write_row(std::size_t first, const double* values, const float* sizes,
                 const ScaledSizes& other, double unit, double factor,
                 std::vector<Enclosure>& to) const;

  const HeadTask& task_;
  const KeyNorms& norms_;
  std::vector<double> k_copy_;  // empty where the head is finite
  std::vector<double> v_copy_;
  const double* k_;
  const double* v_;
  ScaledSizes k_sizes_;
  ScaledSizes q_sizes_;     // no values: blocks make their own
  ScaledSizes dout_sizes_;  // likewise
  double weight_unit_ = 1;  // of what P's errors cost
  double score_unit_ = 1;   // of what the errors of dS cost
  double rounding_ = 0;     // relative, of every sum
  double delta_ = 0;        // likewise of sums in binary32
  double terms_ = 0;
  double largest_difference_ = 0;
  std::vector<unsigned char> reached_;  // per key: does any row add to it?
  std::vector<double> dk_;
  std::vector<double> dv_;
  std::vector<float> dk_sizes_;
  std::vector<float> dv_sizes_;
  // Per tile of keys: the block whose turn it is to add. Blocks add in their order, so that sums do
  // not depend on who works them.
  std::vector<std::atomic<std::size_t>> turns_;
};

}  // namespace attest
