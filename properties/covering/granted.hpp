// granted.hpp - a drawn problem changed as little as gives it the features that a plan asks for.
#pragma once

#include "core/problem.hpp"
#include "properties/covering/parameter.hpp"
#include "properties/drawn_shape.hpp"

namespace attest {

// Input format and family are not the shape's: they go with the index. Nor is the gradient of LSE.
void grant(const Features& wish, Dice& dice, Problem& p);

// The same once more, after other hands have made the problem smaller, and then as small as the
// features allow while it is beyond the limit. Did anything change?
bool grant_within(const Features& wish, Index limit, Dice& dice, Problem& p);

}  // namespace attest
