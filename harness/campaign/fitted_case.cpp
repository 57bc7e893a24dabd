#include "harness/campaign/fitted_case.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "properties/drawn_shape.hpp"

namespace attest {
namespace {

// A head dimension that grew makes a case dearer; its rows make up for it.
void keep_cheap(Problem& p) {
  constexpr Index kMost = 5'000'000, kLeastRows = 16;
  while (work_of(p) > kMost && p.n_q > kLeastRows) p.n_q -= p.n_q / 3;
  for (Index& length : p.lq) length = std::min(length, p.n_q);
}

}  // namespace

CaseFits::CaseFits(std::span<const Subject* const> subjects) {
  std::set<std::string> known;
  for (const Subject* subject : subjects) {
    const auto* fit = dynamic_cast<const ProblemFit*>(subject);
    if (known.insert(fit == nullptr ? "" : fit->fit()).second) kinds_.push_back(fit);
  }
}

bool CaseFits::any() const {
  return std::ranges::any_of(kinds_, [](const ProblemFit* fit) { return fit != nullptr; });
}

Case CaseFits::fitted(Case drawn, std::uint64_t round) const {
  const ProblemFit* fit = kinds_.empty() ? nullptr : kinds_[round % kinds_.size()];
  if (fit == nullptr) return drawn;
  const Problem nearest = fit->nearest(drawn.problem);
  if (nearest == drawn.problem) return drawn;
  drawn.problem = nearest;
  keep_cheap(drawn.problem);
  return drawn;
}

}  // namespace attest
