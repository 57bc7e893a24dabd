// tile_edges.hpp - cases at the edges of a subject's own tiles.
//
// Lengths are drawn about multiples of 16, the smallest tile there is. A kernel with tiles of 128
// would have few cases of three tiles, and few that end one key before or behind one.
#pragma once

#include "core/problem.hpp"
#include "harness/subjects/problem_fit.hpp"

namespace attest {

// What lies at an edge of 16, or between two, lies so with these tiles: lengths, and how far a band
// reaches. Lengths below 15, those of more than a few tiles, and tiles of up to 16, or too large to
// end within a case, leave a count as it is.
// Ensures: a problem without defects has none.
[[nodiscard]] Problem at_tile_edges(Problem drawn, const TileSizes& tiles);

}  // namespace attest
