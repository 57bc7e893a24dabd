// live_counts.hpp - how many rows, keys and pairs a problem's lengths and band leave alive.
//
// Counted by intervals, apart from the kernels, whose own intervals decide what they move, and from
// the oracle, which asks pair by pair. Batch entry b throughout.
#pragma once

#include "core/problem.hpp"

namespace attest {

// How many tiles of `tile` rows cover `rows`. Requires: tile >= 1.
[[nodiscard]] Index tiles_over(Index rows, Index tile);

// Of rows first .. first + rows - 1, those below the length.
[[nodiscard]] Index rows_below_length(const Problem& problem, Index b, Index first, Index rows);

// Keys that at least one of these rows sees.
[[nodiscard]] Index keys_seen(const Problem& problem, Index b, Index first, Index rows);

// Of these, those among keys first_key .. first_key + keys - 1.
[[nodiscard]] Index keys_seen_of(const Problem& problem, Index b, Index first, Index rows,
                                 Index first_key, Index keys);

// Queries that see at least one of the keys first_key .. first_key + keys - 1.
[[nodiscard]] Index queries_seeing(const Problem& problem, Index b, Index first_key, Index keys);

// Pairs of a row and a key that it sees, over all batch entries and query heads.
[[nodiscard]] Index live_pairs(const Problem& problem);

}  // namespace attest
