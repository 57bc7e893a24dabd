#include "judge/special.hpp"

#include <cmath>
#include <limits>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ClassVerdict decide(bool accepted, std::string reason) {
  if (accepted) return {};
  return {Verdict::reject, std::move(reason)};
}

// An infinity stands for every value from the format's overflow threshold on; a correct output may
// be one where the exact value, widened by the budget, reaches it.
bool may_be_infinite(double observed, const Enclosure& exact, const Budget& budget, Format format) {
  if (budget.unbounded != Unbounded::no) return true;
  const double threshold = overflow_threshold(format);
  return observed > 0 ? exact.hi + budget.total >= threshold
                      : exact.lo - budget.total <= -threshold;
}

bool is_due(double observed, double declared) {
  return std::isnan(declared) ? std::isnan(observed) : observed == declared;
}

std::optional<double> declared_dead_lse(const Semantics& semantics) {
  if (semantics.dead_lse == DeadLse::unspecified) return std::nullopt;
  return semantics.dead_lse == DeadLse::minus_inf ? -kInfinity : kInfinity;
}

std::optional<ClassVerdict> judge_against(double observed, std::optional<double> declared,
                                          const char* reason) {
  if (!declared) return std::nullopt;
  return decide(is_due(observed, *declared), reason);
}

}  // namespace

std::optional<ClassVerdict> judge_class(double observed, OutputClass exact_class,
                                        const Enclosure& exact, const Budget& budget, Format format,
                                        bool rounds_away) {
  switch (exact_class) {
    case OutputClass::nan:
      return decide(std::isnan(observed), "a live NaN must show, and no NaN is there");
    case OutputClass::plus_inf: return decide(observed == kInfinity, "the exact value is +inf");
    case OutputClass::minus_inf: return decide(observed == -kInfinity, "the exact value is -inf");
    case OutputClass::undefined: return ClassVerdict{};
    case OutputClass::finite: break;
    case OutputClass::dead:
    case OutputClass::beyond: ATTEST_EXPECTS(!"a row whose value is declared");
  }
  if (budget.unbounded == Unbounded::range) return ClassVerdict{};
  if (std::isnan(observed)) return decide(false, "NaN where the exact value is finite");
  if (std::isinf(observed)) {
    return decide(rounds_away && may_be_infinite(observed, exact, budget, format),
                  "infinity where the exact value, widened by the budget, is in range");
  }
  if (budget.unbounded == Unbounded::magnitude) return ClassVerdict{};
  return std::nullopt;
}

std::optional<ClassVerdict> judge_declared_o(double observed, OutputClass row_class,
                                             const Semantics& semantics) {
  if (row_class == OutputClass::beyond) {
    const bool zero = semantics.beyond_lengths == BeyondLengths::zero;
    return judge_against(observed, zero ? std::optional(0.0) : std::nullopt,
                         "rows at or beyond lq are declared zero");
  }
  if (semantics.dead_o == DeadO::unspecified) return std::nullopt;
  if (semantics.dead_o == DeadO::nan) {
    return judge_against(observed, std::numeric_limits<double>::quiet_NaN(),
                         "a row without a live key is declared NaN");
  }
  return judge_against(observed, 0.0, "a row without a live key is declared zero");
}

std::optional<ClassVerdict> judge_declared_lse(double observed, OutputClass row_class,
                                               const Semantics& semantics) {
  if (row_class == OutputClass::beyond && semantics.beyond_lengths != BeyondLengths::zero) {
    return std::nullopt;
  }
  return judge_against(observed, declared_dead_lse(semantics),
                       "the LSE of a row without a live key differs from its declaration");
}

std::optional<ClassVerdict> judge_declared_gradient(double observed, OutputClass element_class,
                                                    const Semantics& semantics) {
  if (element_class == OutputClass::dead) {
    return judge_against(observed, 0.0, "no live pair reaches it, and zero is due");
  }
  if (semantics.beyond_lengths != BeyondLengths::zero) return std::nullopt;
  return judge_against(observed, 0.0, "gradients at or beyond a length are declared zero");
}

}  // namespace attest
