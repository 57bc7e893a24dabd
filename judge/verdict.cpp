#include "judge/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

#include "core/contract.hpp"

namespace attest {
namespace {

// Orders the real number a - b, not its rounding, against `bound`.
//
// Rounding to nearest is monotone, so a rounded difference that is not equal to `bound` already
// lies on the right side of it. On equality the rounding error decides, and Knuth's two-sum
// recovers that error exactly. A difference that overflows lies beyond any finite bound, whose
// sign then decides.
std::strong_ordering order_difference(double a, double b, double bound) {
  const double rounded = a - b;
  if (rounded < bound) return std::strong_ordering::less;
  if (rounded > bound) return std::strong_ordering::greater;
  const double b_rounded = rounded - a;
  const double error = (a - (rounded - b_rounded)) - (b + b_rounded);
  if (error < 0) return std::strong_ordering::less;
  if (error > 0) return std::strong_ordering::greater;
  return std::strong_ordering::equal;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"accept", "reject", "undecided"};
  return names[static_cast<int>(verdict)];
}

Verdict worse(Verdict a, Verdict b) {
  if (a == Verdict::reject || b == Verdict::reject) return Verdict::reject;
  return std::max(a, b);
}

Verdict judge(double observed, Enclosure exact, double budget) {
  ATTEST_EXPECTS(exact.lo <= exact.hi);
  ATTEST_EXPECTS(budget >= 0);
  ATTEST_EXPECTS(std::isfinite(budget));

  if (!std::isfinite(observed)) return Verdict::reject;

  // The farthest point of the enclosure is one of its ends.
  if (order_difference(observed, exact.lo, budget) <= 0 &&
      order_difference(exact.hi, observed, budget) <= 0) {
    return Verdict::accept;
  }
  if (order_difference(observed, exact.hi, budget) > 0 ||
      order_difference(exact.lo, observed, budget) > 0) {
    return Verdict::reject;
  }
  return Verdict::undecided;
}

}  // namespace attest
