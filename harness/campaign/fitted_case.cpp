#include "harness/campaign/fitted_case.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "harness/campaign/tile_edges.hpp"
#include "properties/drawn_shape.hpp"

namespace attest {
namespace {

constexpr Index kLeastRows = 16;

// A head dimension that grew makes a case dearer; its rows make up for it.
void drop_rows(Problem& p, Index most) {
  while (work_of(p) > most && p.n_q > kLeastRows) p.n_q -= p.n_q / 3;
  for (Index& length : p.lq) length = std::min(length, p.n_q);
}

// So do larger tiles. Three of keys stay; one head may keep several of queries as well.
void drop_tiles(Problem& p, Index tile) {
  const Index most = p.batch * p.heads_q == 1 ? 30'000'000 : 12'000'000;
  while (work_of(p) > most && p.n_k > 3 * tile + 1) p.n_k -= tile;
  while (work_of(p) > most && p.batch > 1) --p.batch;
  if (!p.lq.empty()) p.lq.resize(static_cast<std::size_t>(p.batch));
  if (!p.lk.empty()) p.lk.resize(static_cast<std::size_t>(p.batch));
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  drop_rows(p, most);
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
  constexpr Index kMost = 5'000'000;
  const ProblemFit* fit = kinds_.empty() ? nullptr : kinds_[round % kinds_.size()];
  if (fit == nullptr) return drawn;
  Problem nearest = fit->nearest(drawn.problem);
  const TileSizes tiles = fit->tiles(nearest);
  if (round / kinds_.size() % 2 == 1) nearest = at_tile_edges(nearest, tiles);
  if (nearest == drawn.problem) return drawn;
  if (nearest.n_k > drawn.problem.n_k)
    drop_tiles(nearest, tiles.keys);
  else
    drop_rows(nearest, kMost);
  drawn.problem = nearest;
  return drawn;
}

}  // namespace attest
