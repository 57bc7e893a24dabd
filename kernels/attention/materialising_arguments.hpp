// materialising_arguments.hpp - what the three kernels of materialising attention are told, and
// what they hand on to each other.
//
// Only live pairs of a query and a key have a score and a weight in memory. The others are neither
// stored nor loaded, so that whatever stands there reaches nobody.
#pragma once

#include <type_traits>

#include "kernels/attention/forward_arguments.hpp"
#include "kernels/attention/tile_plan.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// s and p are [batch, heads_q, n_q, n_k]; a Stored is a binary32 or an Element.
template <class Element, class Stored>
struct MaterialisingArguments {
  static_assert(std::is_same_v<Stored, float> || std::is_same_v<Stored, Element>,
                "scores are stored in binary32 or in the format of q and k");

  ForwardArguments<Element> forward;
  GlobalSpan<Stored> s;   // q.k, not yet scaled
  GlobalSpan<Element> p;  // weights that sum to 1

  // Where a row of scores and weights begins; q_row numbers the rows of q.
  ATTEST_DEVICE std::int64_t pairs_of(std::int64_t q_row) const { return q_row * forward.n_k; }

  ATTEST_DEVICE void store_score(std::int64_t pair, float score,
                                 Where where = Where::current()) const {
    if constexpr (std::is_same_v<Stored, float>) {
      s.store(pair, score, where);
    } else {
      s.store(pair, round_to<Element>(score), where);
    }
  }
  ATTEST_DEVICE float load_score(std::int64_t pair, Where where = Where::current()) const {
    if constexpr (std::is_same_v<Stored, float>) {
      return s.load(pair, where);
    } else {
      return widen(s.load(pair, where));
    }
  }
};

// The tiles of both products. They take less shared memory than a tiled kernel, which needs three
// matrices at once.
constexpr TilePlan product_plan(int head_dim) { return plan_for(head_dim, 4, 64); }

}  // namespace ATTEST_MACHINE
}  // namespace attest
