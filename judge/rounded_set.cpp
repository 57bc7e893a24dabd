#include "judge/rounded_set.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace attest {
namespace {

// Two differences and the halves' rounding, each off by less than a place of the result.
constexpr double kUpward = 1 + 0x1p-50;

}  // namespace

double RoundedSet::half_width() const {
  if (lo == hi) return 0;
  const double middle = centre();
  return std::max(hi - middle, middle - lo) * kUpward;
}

RoundedSet rounded_set(double lo, double hi, const StoreRule& rule) {
  ATTEST_EXPECTS(lo <= hi);
  RoundedSet set{round_to_format(rule.format, lo, rule.rounding),
                 round_to_format(rule.format, hi, rule.rounding)};
  const double normal = smallest_normal(rule.format);
  if (rule.flushed && lo < normal && hi > -normal) {
    set.lo = std::min(set.lo, 0.0);
    set.hi = std::max(set.hi, 0.0);
  }
  return set;
}

}  // namespace attest
