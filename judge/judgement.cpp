#include "judge/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/contract.hpp"
#include "judge/special.hpp"

namespace attest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_bounded(const ElementJudgement& e) {
  return e.exact_class == OutputClass::finite && e.budget.unbounded == Unbounded::no;
}

// Order of interest: verdict first, then how much of the budget was used.
bool more_interesting(const ElementJudgement& a, const ElementJudgement& b) {
  if (a.verdict != b.verdict) return worse(a.verdict, b.verdict) == a.verdict;
  return a.ratio > b.ratio;
}

// An output that rounds toward zero shows its largest value for everything beyond.
Enclosure saturate(const Enclosure& exact, Format format) {
  const double top = largest_finite(format);
  return {std::clamp(exact.lo, -top, top), std::clamp(exact.hi, -top, top)};
}

void judge_number(ElementJudgement& e, Format format, bool saturates) {
  const Enclosure exact = saturates ? saturate(e.exact, format) : e.exact;
  e.verdict = judge(e.observed, exact, e.budget.total);
  e.error = std::max(std::fabs(e.observed - exact.lo), std::fabs(exact.hi - e.observed));
  e.ratio = e.error == 0 ? 0 : e.error / e.budget.total;
  if (e.verdict == Verdict::reject) e.reason = "the error exceeds the budget";
  if (e.verdict == Verdict::undecided) e.reason = "the enclosure straddles the budget's edge";
}

void judge_against(ElementJudgement& e, const RoundedSet& set, double centre) {
  e.replayed = true;
  e.exact = {set.lo, set.hi};
  if (set.holds(e.observed)) return;
  e.verdict = Verdict::reject;
  e.error = std::fabs(e.observed - centre);
  const bool comparable = std::isfinite(e.error) && e.budget.total > 0;
  e.ratio = comparable ? e.error / e.budget.total : kInfinity;
  e.reason = "no run of the declared schedule gives this value";
}

}  // namespace

std::string_view name_of(OutputTensor tensor) {
  constexpr std::string_view kNames[] = {"o", "lse", "dq", "dk", "dv"};
  return kNames[static_cast<std::size_t>(tensor)];
}

void TensorJudgement::count(const ElementJudgement& element, const RowMoments& row,
                            int oracle_bits) {
  ++judged;
  if (element.verdict == Verdict::accept) ++accepted;
  if (element.verdict == Verdict::reject) ++rejected;
  if (element.verdict == Verdict::undecided) ++undecided;
  if (element.budget.unbounded != Unbounded::no) ++unbounded;
  worst_ratio = std::max(worst_ratio, element.ratio);
  if (!element.replayed && is_bounded(element) && std::isfinite(element.observed) &&
      element.budget.total > 0) {
    const double middle = element.exact.lo / 2 + element.exact.hi / 2;
    signed_error_sum += (element.observed - middle) / element.budget.total;
    ++bounded;
  }
  if (worst && !more_interesting(element, *worst)) return;
  worst = element;
  worst->row = row;
  worst->oracle_bits = oracle_bits;
}

void TensorJudgement::count_replayed(const ElementJudgement& element, const RowMoments& row,
                                     double free_budget) {
  count(element, row, 0);
  if (element.exact.lo == element.exact.hi) ++single;
  if (free_budget > 0) width_sum += element.budget.total / free_budget;
}

void TensorJudgement::count_acceptable(bool is_single) {
  ATTEST_EXPECTS(worst.has_value());
  ++judged;
  ++accepted;
  single += is_single;
}

void TensorJudgement::add(const TensorJudgement& other) {
  judged += other.judged;
  accepted += other.accepted;
  rejected += other.rejected;
  undecided += other.undecided;
  unbounded += other.unbounded;
  worst_ratio = std::max(worst_ratio, other.worst_ratio);
  signed_error_sum += other.signed_error_sum;
  bounded += other.bounded;
  left += other.left;
  single += other.single;
  width_sum += other.width_sum;
  if (other.worst && (!worst || more_interesting(*other.worst, *worst))) worst = other.worst;
}

TensorJudgement& Judgement::of(OutputTensor tensor) {
  switch (tensor) {
    case OutputTensor::o: return o;
    case OutputTensor::lse: return lse;
    case OutputTensor::dq: return dq;
    case OutputTensor::dk: return dk;
    case OutputTensor::dv: return dv;
  }
  contract_broken("a tensor that exists", __FILE__, __LINE__);
}

Verdict Judgement::verdict() const {
  Index undecided = 0;
  for (const TensorJudgement* tensor : tensors()) {
    if (tensor->rejected > 0) return Verdict::reject;
    undecided += tensor->undecided;
  }
  return undecided > 0 ? Verdict::undecided : Verdict::accept;
}

Index Judgement::judged() const {
  Index judged = 0;
  for (const TensorJudgement* tensor : tensors()) judged += tensor->judged;
  return judged;
}

void Judgement::add(const Judgement& other) {
  for (std::size_t n = 0; n < tensors().size(); ++n) {
    of(static_cast<OutputTensor>(n)).add(*other.tensors()[n]);
  }
  std::vector<std::size_t> rows;
  std::ranges::set_union(undecided_rows, other.undecided_rows, std::back_inserter(rows));
  undecided_rows = std::move(rows);
  open.insert(open.end(), other.open.begin(), other.open.end());
  for (const std::string& field : other.assumed) {
    if (std::ranges::find(assumed, field) == assumed.end()) assumed.push_back(field);
  }
}

const ElementJudgement* Judgement::worst() const {
  const ElementJudgement* worst = nullptr;
  for (const TensorJudgement* tensor : tensors()) {
    if (!tensor->worst) continue;
    if (worst == nullptr || more_interesting(*tensor->worst, *worst)) worst = &*tensor->worst;
  }
  return worst;
}

void apply_class(ElementJudgement& e, const ClassVerdict& decided) {
  e.verdict = decided.verdict;
  e.reason = decided.reason;
  e.ratio = decided.verdict == Verdict::reject ? kInfinity : 0;
}

void judge_between(ElementJudgement& e, double lo, double hi, const StoreRule& store) {
  e.budget.total = hi / 2 - lo / 2;
  judge_against(e, rounded_set(lo, hi, store), lo / 2 + hi / 2);
}

void judge_replayed(ElementJudgement& e, double centre, const StoreRule& store) {
  const double reach = e.budget.total * (1 + 0x1p-50) + std::fabs(centre) * 0x1p-52;
  judge_against(e, rounded_set(centre - reach, centre + reach, store), centre);
}

void judge_value(ElementJudgement& e, Format format, bool saturates, bool overflows) {
  const auto decided = judge_class(e.observed, e.exact_class, e.exact, e.budget, format, overflows);
  if (decided) {
    apply_class(e, *decided);
  } else {
    judge_number(e, format, saturates);
  }
}

}  // namespace attest
