// gradient_terms.hpp - a gradient's budget in its named terms, for the elements that a report
// shows.
//
// The walk over all elements adds causes up at once; here one element's sums are taken apart again.
#pragma once

#include <vector>

#include "judge/budget.hpp"
#include "judge/gradient_case.hpp"

namespace attest {

// `exact`: the element's magnitude. Requires: the element's budget is bounded.
[[nodiscard]] std::vector<BudgetTerm> terms_of_dq(const GradientCase& gradients, Index b, Index h,
                                                  Index i, Index c, double exact);
[[nodiscard]] std::vector<BudgetTerm> terms_of_dk(const GradientCase& gradients, Index b,
                                                  Index key_head, Index j, Index c, double exact);
[[nodiscard]] std::vector<BudgetTerm> terms_of_dv(const GradientCase& gradients, Index b,
                                                  Index key_head, Index j, Index c, double exact);

}  // namespace attest
