// unit_dots.hpp - dot products as a matrix unit computes them, bit for bit.
//
// A unit's name stands for a rule (docs/error-analysis.md, section 3), and where a subject declares
// that its dot products follow it from zero over ascending columns (dot_order), they are no more
// uncertain than their operands. The rules are written here once more, on integers held in
// binary64, many columns of the result side by side: nothing is shared with the kernels' own units.
//
// error-analysis.md, Lemma 35.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.hpp"
#include "core/unit.hpp"

namespace attest {

class UnitDots {
 public:
  // `right` is [rows, depth], row by row, finite, of f16 or bf16 like the left operands to come.
  UnitDots(Unit unit, Format format, std::span<const double> right, Index depth);

  // Is there a rule for dot products of such operands?
  [[nodiscard]] static bool has_rule(Unit unit, Format format);

  // left . right_j for first <= j < end, as binary32 values. Empty where numbers lie too far apart
  // for the exact sums of exact-rn. Requires: left is finite and [depth].
  [[nodiscard]] std::vector<double> of(std::span<const double> left, Index first, Index end) const;

 private:
  using Columns = std::vector<double>;  // [depth, rows]

  void add_sequential(std::span<const double> left, Index first, std::vector<double>& sum) const;
  void add_truncating(std::span<const double> left, Index first, std::vector<double>& sum) const;
  [[nodiscard]] bool add_exact(std::span<const double> left, Index first,
                               std::vector<double>& sum) const;

  Unit unit_;
  Format format_;
  Index rows_;
  Index depth_;
  Columns right_;
  std::vector<std::int32_t> exponent_;  // [depth, rows], as truncating units see them
  int lowest_ = 0;                      // no bit of `right` lies below 2^lowest
  int highest_ = 0;                     // all of it lies below 2^highest
};

}  // namespace attest
