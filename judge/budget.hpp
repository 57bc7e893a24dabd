// budget.hpp - the largest error that declared numerics can explain, term by term.
#pragma once

#include <string_view>
#include <vector>

namespace attest {

// One named share of a budget, absolute, in the unit of the output. The names are the rows of the
// table in docs/error-analysis.md, section 3.
struct BudgetTerm {
  std::string_view name;
  double value;
};

// Why no finite budget exists.
enum class Unbounded : unsigned char {
  no,
  range,      // An intermediate may leave its format's range: any class of output is explained.
  magnitude,  // The bound exceeds what the output can tell: only its class is judged.
};

struct Budget {
  double total = 0;  // meaningless unless unbounded == no
  Unbounded unbounded = Unbounded::no;
  std::vector<BudgetTerm> terms;  // their sum is at most `total`; in the order of derivation
};

}  // namespace attest
