// scope.hpp - of which problems a law can say something at all.
//
// A law that finds nothing to ask says so itself (not_applicable); what is here is known before
// anything has run, so that a campaign which cannot afford every law on every case spends its turns
// where they count. Each is necessary: outside of its scope a law never applies.
#pragma once

#include "core/problem.hpp"

namespace attest {

// Some entry has a query and a key, whatever the band lets it see.
[[nodiscard]] bool has_pairs(const Problem& p);
[[nodiscard]] bool has_live_rows(const Problem& p);
// A key that no row sees, or a query beyond its length.
[[nodiscard]] bool has_unseen_bytes(const Problem& p);
// A key that some rows see and others do not.
[[nodiscard]] bool has_mixed_keys(const Problem& p);
[[nodiscard]] bool has_other_groups(const Problem& p);
// Several query heads read the same keys.
[[nodiscard]] bool has_shared_keys(const Problem& p);
// Every row sees every key, and there are several.
[[nodiscard]] bool has_free_order(const Problem& p);
// Several entries or heads, which can lie apart.
[[nodiscard]] bool has_entries_apart(const Problem& p);

// The most tiles of so many keys that the live keys of a row span.
[[nodiscard]] Index most_tiles_of_a_row(const Problem& p, Index tile_k);

}  // namespace attest
