// write_cap.hpp - the most that a subject may write which stores no scores: O(n d) bytes.
//
// From what it declares. Nothing is left over for anything that has an entry for each pair of a
// query and a key. Parts of the keys and atomic additions cost O(n d) bytes each, for each part or
// tile of keys that is declared: a subject that declares parts of one key has no cap worth the
// name.
#pragma once

#include "core/numerics.hpp"
#include "core/problem.hpp"

namespace attest {

// Each row of O and LSE once; where keys are split, each part's row of both as well, and an LSE of
// up to eight parts that no key is left for. Requires: numerics.s_store is none.
[[nodiscard]] Index forward_write_cap(const Problem& problem, const Numerics& numerics);

// Each gradient once, and a number a row; where dQ is summed by atomics, zeros and then every
// tile's share, since each addition is a write; where heads are stored apart, theirs.
[[nodiscard]] Index backward_write_cap(const Problem& problem, const Numerics& numerics);

}  // namespace attest
