// shapes.hpp - simpler problems for the data of a case: smaller, fewer lengths, plainer bands.
#pragma once

#include <vector>

#include "core/case.hpp"

namespace attest {

// Smaller shapes, the boldest first; surviving elements keep their values. `inputs` are the case's
// values: a crop that does not start at the origin, or that crops a literal, takes them from there
// and becomes a literal itself where it fits one.
[[nodiscard]] std::vector<Case> smaller_shapes(const Case& c, const Inputs& inputs);

// Plainer lengths, bands, scale and output format on the same shapes and values.
[[nodiscard]] std::vector<Case> plainer_problems(const Case& c);

}  // namespace attest
