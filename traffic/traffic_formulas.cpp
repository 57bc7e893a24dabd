#include "traffic/traffic_formulas.hpp"

#include "traffic/backward_traffic.hpp"
#include "traffic/forward_traffic.hpp"
#include "traffic/split_traffic.hpp"

namespace attest {
namespace {

constexpr TileShapes kTilesOf16Keys = {{64, 16}, {64, 16}, {32, 16}};
constexpr TileShapes kTilesOf32Queries = {{32, 32}, {32, 32}, {32, 16}};

template <TileShapes kTiles>
MemoryUse tiled(const Problem& problem) {
  return tiled_forward_traffic(problem, kTiles);
}

template <DqSummed kDq>
MemoryUse backward(const Problem& problem) {
  return tiled_backward_traffic(problem, kDq);
}

template <Index kScoreBytes>
MemoryUse materialising(const Problem& problem) {
  return materialising_forward_traffic(problem, kScoreBytes);
}

template <KeyParting (*kParts)(const Problem&), PartialOutputs kPartial>
MemoryUse split(const Problem& problem) {
  return split_forward_traffic(problem, kParts(problem), kPartial);
}

constexpr PartialOutputs kWide = {4, 1}, kNarrow = {2, 2};

// The rule by which `attest plan` picks a kernel.
MemoryUse dispatched(const Problem& p) {
  constexpr Index kMostDecodeQueries = 16, kFewScores = 4096;
  if (p.pass == Pass::bwd) return tiled<kUsualTiles>(p);  // no other kernel has a backward
  if (1 <= p.n_q && p.n_q <= kMostDecodeQueries) return decode_forward_traffic(p);
  if (query_rows(p) * p.n_k <= kFewScores) return materialising<4>(p);
  if (usual_parts(p).parts > 1) return split<usual_parts, kWide>(p);
  return tiled<kUsualTiles>(p);
}

constexpr TrafficFormula kTable[] = {
    {"tiled", tiled<kUsualTiles>, backward<DqSummed::by_second_pass>},
    {"variant/tiled-16-keys", tiled<kTilesOf16Keys>},
    {"variant/tiled-32-queries", tiled<kTilesOf32Queries>},
    {"variant/tiled-atomic-dq", tiled<kUsualTiles>, backward<DqSummed::by_atomics>},
    {"variant/tiled-*", tiled<kUsualTiles>, backward<DqSummed::by_second_pass>},
    {"materialising", materialising<4>},
    {"variant/materialising-16-bit-scores", materialising<2>},
    {"split", split<usual_parts, kWide>},
    {"variant/split-16-bit", split<usual_parts, kNarrow>},
    {"variant/split-many", split<many_parts, kWide>},
    {"decode", decode_forward_traffic},
    {"dispatched", dispatched, backward<DqSummed::by_second_pass>},
};

bool matches(std::string_view row, std::string_view name) {
  return row.ends_with('*') ? name.starts_with(row.substr(0, row.size() - 1)) : name == row;
}

}  // namespace

std::span<const TrafficFormula> traffic_formulas() { return kTable; }

const TrafficFormula* traffic_formula_of(std::string_view subject) {
  for (const TrafficFormula& row : kTable) {
    if (matches(row.subject, subject)) return &row;
  }
  return nullptr;
}

}  // namespace attest
