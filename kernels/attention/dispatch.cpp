#include "kernels/attention/dispatch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/contract.hpp"
#include "kernels/attention/backward_limits.hpp"
#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/problem_tensors.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tile_plan.hpp"
#include "kernels/attention/tiled.hpp"

namespace attest {
namespace {

constexpr SplitConfig kSplit = kSplitForms[0].config;

// No a + b: a tile that someone asks for may be as long as Index goes.
Index ceil_div(Index a, Index b) { return a / b + (a % b == 0 ? 0 : 1); }

// Large problems overflow Index; beyond binary64's integers their exact number does not matter.
double scores_of(const Problem& p) {
  return static_cast<double>(p.batch) * static_cast<double>(p.heads_q) *
         static_cast<double>(p.n_q) * static_cast<double>(p.n_k);
}

Index query_blocks(const Problem& p) {
  return p.batch * p.heads_q * ceil_div(p.n_q, tiled_queries(p));
}

std::string count(Index n, const char* one) {
  return std::to_string(n) + ' ' + one + (n == 1 ? "" : "s");
}

Dispatch by_tiles(const Problem& p, Path path, std::string reason) {
  Dispatch d{path, std::move(reason), tiled_queries(p), tiled_keys(p), query_blocks(p), {0, 1}};
  if (path == Path::split) {
    d.parts = split_plan(p);
    d.blocks *= d.parts.parts;
  }
  if (path == Path::materialising) {
    const TilePlan tiles = plan_for(padded_head_dim(static_cast<int>(p.d_qk)), 4, 64);
    d.tile_q = tiles.queries();
    d.tile_k = tiles.keys;
    d.blocks = p.batch * p.heads_q * ceil_div(p.n_q, d.tile_q);
  }
  return d;
}

Dispatch by_decode(const Problem& p) {
  const Index group = p.heads_q / p.heads_k;
  const Index packed = group * p.n_q;
  const SplitPlan parts = decode_plan(p);
  const int head_dim = padded_head_dim(static_cast<int>(std::max(p.d_qk, p.d_v)));
  return {Path::decode,
          count(p.n_q, "query row") + ", at most " + std::to_string(kMostDecodeQueries) + ": " +
              count(packed, "row") + " of a group's heads share tiles of 16 and read its keys once",
          kQueriesOfWarp,
          kDecodeTileKeys,
          p.batch * p.heads_k * decode_row_tiles(p) * parts.parts / decode_warps(head_dim),
          parts,
          group};
}

// The ranges of keys that the kernels look at, by their own band.
Band band_of(const Problem& p) {
  ProblemArguments arg;
  describe_problem(p, arg);
  return arg.band;
}

// Key tiles that some of `rows` packed rows see, the first of them row i of its head. Heads lie one
// after the other: the end of one and the beginning of the next may see ranges with a gap between.
template <class KeysOfRows>
Index live_tiles_of(Index i, Index rows, Index n_q, Index tile_k, KeysOfRows keys_of) {
  const auto tiles_of = [&](Index first, Index n) -> std::pair<Index, Index> {
    const KeyRange keys = keys_of(first, n);
    if (keys.empty()) return {0, 0};
    return {keys.first / tile_k, (keys.last - 1) / tile_k + 1};
  };
  const auto size_of = [](const std::pair<Index, Index>& tiles) {
    return std::max<Index>(0, tiles.second - tiles.first);
  };
  if (rows >= n_q) return size_of(tiles_of(0, n_q));
  const Index of_next = std::max<Index>(0, i + rows - n_q);
  const auto here = tiles_of(i, rows - of_next);
  const auto there = of_next > 0 ? tiles_of(0, of_next) : std::pair<Index, Index>{0, 0};
  const std::pair<Index, Index> both{std::max(here.first, there.first),
                                     std::min(here.second, there.second)};
  return size_of(here) + size_of(there) - size_of(both);
}

// Each path's own subject does the work, under one name.
class DispatchedSubject final : public Subject {
 public:
  DispatchedSubject() {
    auto split = split_subjects();
    of(Path::tiled) = std::move(tiled_subjects().front().subject);
    of(Path::split) = std::move(split.front().subject);
    of(Path::decode) = std::move(split.back().subject);
    of(Path::materialising) = std::move(materialising_subjects().front().subject);
  }

  [[nodiscard]] std::string name() const override { return "dispatched"; }
  [[nodiscard]] Semantics semantics() const override {
    return paths_.front()->semantics();  // of every kernel of the machine
  }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    const Dispatch chosen = dispatch(problem);
    if (!chosen.path) return chosen.reason;
    return at(*chosen.path).unsupported(problem, unit);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    return chosen(problem).numerics(problem, unit);
  }
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override {
    return chosen(problem).configurations(problem, unit);
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit unit) const override {
    return chosen(problem).numerics_in(configuration, problem, unit);
  }
  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    return chosen(problem).run(problem, inputs, outputs, settings);
  }
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    return chosen(problem).run_backward(problem, inputs, outputs, settings);
  }

 private:
  std::unique_ptr<Subject>& of(Path path) { return paths_[static_cast<std::size_t>(path)]; }
  [[nodiscard]] const Subject& at(Path path) const {
    return *paths_[static_cast<std::size_t>(path)];
  }
  [[nodiscard]] const Subject& chosen(const Problem& problem) const {
    const Dispatch made = dispatch(problem);
    ATTEST_EXPECTS(made.path.has_value());
    return at(*made.path);
  }

  std::array<std::unique_ptr<Subject>, 4> paths_;
};

}  // namespace

std::string_view name_of(Path path) {
  constexpr std::string_view names[] = {"tiled", "split", "decode", "materialising"};
  return names[static_cast<int>(path)];
}

Dispatch dispatch(const Problem& p) {
  if (p.pass == Pass::bwd) {
    if (auto beyond = beyond_backward_kernels(p)) return {std::nullopt, std::move(*beyond)};
    return by_tiles(p, Path::tiled, "pass=bwd: of all paths tiled alone has a backward");
  }
  if (auto beyond = beyond_forward_kernels(p)) return {std::nullopt, std::move(*beyond)};
  if (1 <= p.n_q && p.n_q <= kMostDecodeQueries && !beyond_decode(p)) return by_decode(p);
  if (scores_of(p) <= static_cast<double>(kFewScores) && !beyond_materialising(p)) {
    return by_tiles(p, Path::materialising,
                    count(p.batch * p.heads_q * p.n_q * p.n_k, "score") + ", at most " +
                        std::to_string(kFewScores) + ": S and P stay in a cache");
  }
  const Index blocks = query_blocks(p);
  if (split_plan(p).parts > 1 && !beyond_split(kSplit, p)) {
    return by_tiles(
        p, Path::split,
        count(blocks, "tile") + " of queries, fewer than " + std::to_string(kBlocksWanted) +
            " blocks: " + count(split_plan(p).parts, "part") + " of the keys fill the machine");
  }
  if (blocks < kBlocksWanted) {
    return by_tiles(p, Path::tiled, "too few keys, or too many rows, for parts of the keys to pay");
  }
  return by_tiles(p, Path::tiled,
                  count(blocks, "tile") + " of queries, at least " + std::to_string(kBlocksWanted) +
                      " blocks: they fill the machine");
}

TileCounts count_tiles(const Problem& p, Index tile_q, Index tile_k, Index heads_of_tile) {
  ATTEST_EXPECTS(tile_q >= 1 && tile_k >= 1);
  ATTEST_EXPECTS(heads_of_tile >= 1 && p.heads_q % heads_of_tile == 0);
  const Band band = band_of(p);
  const Index packs = p.heads_q / heads_of_tile, packed = heads_of_tile * p.n_q;
  TileCounts counts;
  counts.scores = p.batch * p.heads_q * p.n_q * p.n_k;
  counts.query_tiles = p.batch * packs * ceil_div(packed, tile_q);
  counts.tiles = counts.query_tiles * ceil_div(p.n_k, tile_k);
  // Scores of one head and tiles of one pack, by lengths.
  std::map<std::pair<Index, Index>, std::pair<Index, Index>> seen;
  for (Index b = 0; b < p.batch; ++b) {
    const std::pair lengths{p.live_queries(b), p.live_keys(b)};
    const auto [at, is_new] = seen.try_emplace(lengths);
    auto& [scores, tiles] = at->second;
    const int lq = static_cast<int>(lengths.first), lk = static_cast<int>(lengths.second);
    for (Index i = 0; is_new && i < p.n_q; ++i) {
      const KeyRange keys = band.of_row(static_cast<int>(i), lq, lk);
      if (!keys.empty()) scores += keys.last - keys.first;
    }
    for (Index row = 0; is_new && row < packed; row += tile_q) {
      const Index rows = std::min(tile_q, packed - row);
      tiles += live_tiles_of(row % p.n_q, rows, p.n_q, tile_k, [&](Index i, Index n) {
        return band.of_rows(int(i), int(n), lq, lk);
      });
    }
    counts.live_scores += scores * p.heads_q;
    counts.live_tiles += tiles * packs;
  }
  return counts;
}

DescribedSubject dispatched_subject() {
  return {"the kernel that `attest plan` names", std::make_unique<DispatchedSubject>()};
}

}  // namespace attest
