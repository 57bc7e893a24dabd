#include "kernels/canaries/plain_config.hpp"

#include <algorithm>

namespace attest {

std::vector<NamedPlainConfig> other_configs(const PlainConfig& own, const Problem& problem) {
  std::vector<NamedPlainConfig> all;
  for (const Index tile_k : {4, 7, 64}) {
    if (own.part_k || tile_k == own.tile_k) continue;
    all.push_back({"tile_k=" + std::to_string(tile_k), own});
    all.back().config.tile_k = tile_k;
  }
  const Index tiles = std::max<Index>(1, (problem.n_k + own.tile_k - 1) / own.tile_k);
  for (const Index parts : {Index{2}, Index{3}, tiles + 3}) {
    all.push_back({"parts=" + std::to_string(parts), own});
    all.back().config.part_k = (tiles + parts - 1) / parts * own.tile_k;
    all.back().config.least_parts = parts;
  }
  return all;
}

Numerics numerics_of(const PlainConfig& config, const Problem& problem) {
  // exp2 and log are computed in binary64, within an ulp there, and rounded once to binary32.
  constexpr double kRoundedTwice = 0x1.00001p-24;
  Numerics n;
  n.unit = Unit::fp32_seq;
  n.scale_at = ScaleAt{};
  n.c = ConstantRounding::once;
  n.s_store = ScoreStore::none;
  n.exponent = config.exponent;
  n.exp2 = kRoundedTwice;
  n.exp_ftz = config.exp_ftz;
  n.p_format = p_format_of(config, problem);
  n.p_truncated = false;
  n.p_normalised = PNormalised::after_pv;
  n.l_from = config.l_from;
  n.l_chain = LChain{};
  n.tile_k = config.tile_k;
  n.order = config.last_tile_first ? TileOrder::any : TileOrder::ascending;
  n.max = RowMax{config.lag};
  n.divide = Divide::exact;
  n.o_format = problem.out;
  n.o_rounding = Rounding::nearest_even;
  n.lse_format = Format::f32;
  n.log = LogError{false, kRoundedTwice};
  n.ftz = false;
  n.o_ftz = false;
  n.split = SplitKeys{};
  if (config.part_k) {
    n.split->partial = part_format_of(config, problem);
    n.part_k = config.part_k;
    n.combine = config.combine;
  }
  n.d_source = config.d_source;
  n.p_in_ds = config.p_in_ds;
  n.ds_format = ds_format_of(config, problem);
  n.dq_sum = DqSum{config.dq_sum, config.tile_k};
  n.tile_q = config.tile_q;
  n.group_sum = GroupSum{config.head_gradient};
  n.dot_order = DotOrder::ascending;
  return n;
}

}  // namespace attest
