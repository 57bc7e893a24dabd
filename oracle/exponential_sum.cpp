#include "oracle/exponential_sum.hpp"

#include <algorithm>

#include "oracle/precision.hpp"

namespace attest {
namespace {

// A term this far below the largest exponent counts as an error.
constexpr long kFarthest = 1L << 28;

// Adds up coefficients of equal exponents; the largest exponent first, no coefficient 0. False
// where an addition rounds.
bool collect(std::vector<ExponentialTerm>& terms) {
  std::ranges::sort(terms, [](const ExponentialTerm& a, const ExponentialTerm& b) {
    return mpfr_greater_p(raw(a.exponent), raw(b.exponent)) != 0;
  });
  std::vector<ExponentialTerm> groups;
  for (const ExponentialTerm& term : terms) {
    if (groups.empty() || mpfr_equal_p(raw(groups.back().exponent), raw(term.exponent)) == 0) {
      groups.push_back(term);
      continue;
    }
    ExactReal& sum = groups.back().coefficient;
    if (mpfr_add(raw(sum), raw(sum), raw(term.coefficient), MPFR_RNDN) != 0) return false;
  }
  std::erase_if(groups, [](const ExponentialTerm& group) {
    return mpfr_zero_p(raw(group.coefficient)) != 0;
  });
  terms = std::move(groups);
  return true;
}

// error-analysis.md, Lemma 30. Exponents are <= 0 and the first is 0.
template <unsigned Digits>
std::optional<int> sign_at(const std::vector<ExponentialTerm>& terms) {
  Real<Digits> sum;
  Real<Digits> size;   // of the terms, upward
  Real<Digits> error;  // of those that are too far below, upward
  Real<Digits> weight;
  Real<Digits> coefficient;
  double largest = 0;  // exponent, in magnitude
  for (const ExponentialTerm& term : terms) {
    if (mpfr_cmp_si(raw(term.exponent), -kFarthest) < 0) {
      mpfr_abs(raw(coefficient), raw(term.coefficient), MPFR_RNDU);
      mpfr_mul_2si(raw(coefficient), raw(coefficient), -kFarthest, MPFR_RNDU);
      mpfr_add(raw(error), raw(error), raw(coefficient), MPFR_RNDU);
      continue;
    }
    largest = std::max(largest, -mpfr_get_d(raw(term.exponent), MPFR_RNDD));
    mpfr_set(raw(weight), raw(term.exponent), MPFR_RNDN);
    mpfr_exp(raw(weight), raw(weight), MPFR_RNDN);
    mpfr_set(raw(coefficient), raw(term.coefficient), MPFR_RNDN);
    mpfr_mul(raw(weight), raw(weight), raw(coefficient), MPFR_RNDN);
    mpfr_add(raw(sum), raw(sum), raw(weight), MPFR_RNDN);
    mpfr_abs(raw(weight), raw(weight), MPFR_RNDU);
    mpfr_add(raw(size), raw(size), raw(weight), MPFR_RNDU);
  }
  const double operations = 2 * (largest + static_cast<double>(terms.size()) + 8);
  mpfr_mul_d(raw(size), raw(size), operations, MPFR_RNDU);
  mpfr_mul_2si(raw(size), raw(size), -working_bits<Digits>(), MPFR_RNDU);
  mpfr_add(raw(error), raw(error), raw(size), MPFR_RNDU);
  if (mpfr_cmpabs(raw(sum), raw(error)) <= 0) return std::nullopt;
  return mpfr_sgn(raw(sum)) > 0 ? 1 : -1;
}

std::optional<int> sign_at(Precision precision, const std::vector<ExponentialTerm>& terms) {
  switch (precision) {
    case Precision::doubled: return std::nullopt;
    case Precision::digits50: return sign_at<50>(terms);
    case Precision::digits100: return sign_at<100>(terms);
    case Precision::digits200: return sign_at<200>(terms);
    case Precision::digits400: return sign_at<400>(terms);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> sign_of_sum(std::vector<ExponentialTerm> terms) {
  free_caches_with_thread();
  if (!collect(terms)) return std::nullopt;
  if (terms.empty()) return 0;
  const ExactReal top = terms.front().exponent;
  for (ExponentialTerm& term : terms) {
    ExactReal& z = term.exponent;
    if (mpfr_sub(raw(z), raw(z), raw(top), MPFR_RNDN) != 0) return std::nullopt;
  }
  for (auto rung = std::optional(kFirstMultiprecision); rung; rung = next_precision(*rung)) {
    if (const auto sign = sign_at(*rung, terms)) return sign;
  }
  return std::nullopt;
}

}  // namespace attest
