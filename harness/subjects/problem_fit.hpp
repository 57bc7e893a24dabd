// problem_fit.hpp - a subject that takes few of the problems that a campaign draws, and knows the
// nearest one that it takes.
//
// Cases are drawn for kernels that take any shape. A kernel for one head dimension and one format
// would decline nearly all of them, and be accepted on what is left.
#pragma once

#include <string>

#include "core/problem.hpp"

namespace attest {

struct TileSizes {
  Index queries = 1;
  Index keys = 1;
};

class ProblemFit {
 public:
  virtual ~ProblemFit() = default;

  // Like this one, and within what the subject declares. Values of a case follow from coordinates,
  // so that they go along.
  [[nodiscard]] virtual Problem nearest(const Problem& problem) const = 0;

  // The tiles in which it computes this problem, whose edges cases should reach.
  [[nodiscard]] virtual TileSizes tiles(const Problem& problem) const = 0;

  // Equal for subjects to which the same problems are nearest, and whose tiles are the same.
  [[nodiscard]] virtual std::string fit() const = 0;
};

}  // namespace attest
