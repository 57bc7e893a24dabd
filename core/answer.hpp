// answer.hpp - what the oracle says about one case: classes, enclosures and moments.
#pragma once

#include <vector>

#include "core/enclosure.hpp"
#include "core/moments.hpp"
#include "core/problem.hpp"

namespace attest {

// The bits of a row whose numbers are binary64 and whose moments may be loose: upper bounds that a
// sharper answer lowers, though never below `least`.
inline constexpr int kLooseBits = 53;

// Lower bounds of sharp moments, for the largest terms of a budget.
struct LeastMoments {
  float sum_pi_abs_v = 0;  // near keys: sum pi_j |v_jk|
  float sum_pi_dev = 0;    // near keys: sum pi_j |v_jk - O_ik|
};

// Whether an exact value lies within `budget` of `observed`, said by exact arithmetic where no
// enclosure by binary64 tells (docs/error-analysis.md, section 13). It speaks of these numbers
// only.
struct Decision {
  bool of_lse = false;
  std::size_t at = 0;  // an element of O, or a row's LSE
  double observed = 0;
  double budget = 0;
  bool within = false;
};

// Rows are indexed by (b * heads_q + h) * n_q + i, elements by row * d_v + k, b-major throughout.
struct Answer {
  std::vector<OutputClass> o_class;      // per element
  std::vector<Enclosure> o;              // per element; [0, 0] unless the class is finite
  std::vector<ElementMoments> elements;  // per element; zero unless the row's scores are finite
  std::vector<OutputClass> lse_class;    // per row
  std::vector<Enclosure> lse;            // per row
  std::vector<RowMoments> rows;          // per row
  std::vector<int> bits;                 // per row: the working precision that gave the enclosures
  std::vector<LeastMoments> least;       // per element; meant where bits is kLooseBits, else empty
  std::vector<Decision> decisions;       // few, and often none

  [[nodiscard]] bool is_loose(std::size_t row) const { return bits[row] == kLooseBits; }

  explicit Answer(const Problem& p) {
    const auto row_count = static_cast<std::size_t>(volume(p.lse_extents()));
    const auto element_count = static_cast<std::size_t>(volume(p.o_extents()));
    o_class.resize(element_count);
    o.resize(element_count);
    elements.resize(element_count);
    lse_class.resize(row_count);
    lse.resize(row_count);
    rows.resize(row_count);
    bits.resize(row_count);
  }
};

[[nodiscard]] inline std::size_t row_index(const Problem& p, Index b, Index h, Index i) {
  return static_cast<std::size_t>((b * p.heads_q + h) * p.n_q + i);
}

}  // namespace attest
