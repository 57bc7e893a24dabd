// matrix_unit_rules.hpp - the three ways to add up a product, behind multiply_accumulate: each does
// c[t] += a b[t] for t below `tiles`, under the rule it is named for.
#pragma once

#include "kernels/machine/matrix_unit.hpp"

namespace attest {

template <class Element>
void multiply_sequential(const PackedA& a, const PackedB* b, PackedC* c, int tiles);

template <class Element>
void multiply_exact(const PackedA& a, const PackedB* b, PackedC* c, int tiles);

// Requires: unit.rule is truncating, with a width and fraction bits as matrix_unit.hpp allows.
template <class Element>
void multiply_truncating(const MatrixUnit& unit, const PackedA& a, const PackedB* b, PackedC* c,
                         int tiles);

}  // namespace attest
