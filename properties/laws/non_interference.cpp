// non_interference: a row does not change by a bit when a key that is dead for it, but live for
// other rows, takes other finite values. Where the subject declares that a NaN stays in its rows,
// it must not change for a NaN either.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/liveness.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

constexpr std::size_t kMostRuns = 4;
constexpr std::size_t kMostRunsWithBackward = 2;  // each is a forward and a backward

std::uint32_t draw_for(std::uint64_t seed, Index b, Index j, std::uint32_t which) {
  return random_bits(seed, {kDrawOfLaw, static_cast<std::uint32_t>(b), which,
                            static_cast<std::uint32_t>(j), 0})[0];
}

// The keys of entry b that some rows see and others do not, those next to an end of some row's
// live keys first: masks go wrong by one. Within each half the order is drawn from the case.
std::vector<Index> keys_to_change(const Liveness& liveness, Index b, std::uint64_t seed,
                                  std::size_t most) {
  std::vector<char> edge(static_cast<std::size_t>(liveness.keys()));
  for (Index i = 0; i < liveness.rows(); ++i) {
    for (Index j = 0; j + 1 < liveness.keys(); ++j) {
      if (liveness.live(i, j) == liveness.live(i, j + 1)) continue;
      edge[liveness.live(i, j) ? j + 1 : j] = 1;
    }
  }
  std::vector<Index> keys;
  for (Index j = 0; j < liveness.keys(); ++j) {
    if (liveness.mixed(j)) keys.push_back(j);
  }
  const auto rank = [&](Index j) { return std::pair(edge[j] == 0, draw_for(seed, b, j, 0)); };
  std::ranges::sort(keys, {}, rank);
  // One run for a key anywhere, where the edges alone would take all of them.
  if (keys.size() > most) {
    std::swap(keys[most - 1], keys[most + draw_for(seed, b, 0, 1) % (keys.size() - most)]);
  }
  keys.resize(std::min(keys.size(), most));
  return keys;
}

// Replaces key row j of entry b in every head, by NaN or by values up to some hundreds, all of
// them other than before.
void change_row(Tensor& tensor, Index b, Index j, bool nan, std::uint64_t seed) {
  const TensorView view = tensor.view();
  for (Index h = 0; h < view.extents[1]; ++h) {
    for (Index column = 0; column < view.extents[3]; ++column) {
      const double value =
          nan ? std::numeric_limits<double>::quiet_NaN()
              : 64 * gaussian(seed, {kDrawOfLaw, static_cast<std::uint32_t>(b),
                                     static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(j),
                                     static_cast<std::uint32_t>(column)});
      const std::uint64_t bits = round_to_bits(tensor.format(), value);
      view.set_bits(b, h, j, column, bits == view.bits(b, h, j, column) ? bits ^ 1 : bits);
    }
  }
}

}  // namespace

LawOutcome check_non_interference(const LawContext& c) {
  const Semantics semantics = c.subject.semantics();
  if (may_spread(c.problem, c.inputs, semantics)) return not_applicable();
  const std::uint64_t seed = seed_of(c.problem, c.inputs);
  std::vector<Liveness> liveness;
  std::vector<std::vector<Index>> keys;
  const RowFilter promised = promised_rows(c, Schedule::same);
  std::size_t runs = 0;
  const std::size_t most = c.problem.pass == Pass::bwd ? kMostRunsWithBackward : kMostRuns;
  for (Index b = 0; b < c.problem.batch; ++b) {
    liveness.emplace_back(c.problem, b);
    keys.push_back(keys_to_change(liveness.back(), b, seed, most));
    runs = std::max(runs, keys.back().size());
  }
  if (runs == 0) return not_applicable();
  const bool keeps_dead_keys_out = semantics.nonfinite == NonFinite::row_local;
  const ZeroSign zero_sign = keeps_dead_keys_out ? ZeroSign::counts : ZeroSign::open;
  const int kinds = keeps_dead_keys_out ? 2 : 1;
  for (std::size_t run = 0; run < runs * kinds; ++run) {
    const bool nan = run >= runs;
    const std::size_t turn = run % runs;
    Inputs inputs = c.inputs;
    std::string text = nan ? "with NaN in" : "with other values in";
    for (Index b = 0; b < c.problem.batch; ++b) {
      if (turn >= keys[b].size()) continue;
      change_row(inputs.k, b, keys[b][turn], nan, seed);
      change_row(inputs.v, b, keys[b][turn], nan, ~seed);
      text += " key j=" + std::to_string(keys[b][turn]) + " of b=" + std::to_string(b);
    }
    // What reaches keys of the gradients of K and V goes through rows that may see the key.
    const auto blind = [&](const NamedOutput& output, Index b, Index i) {
      if (output.by_keys || i >= liveness[b].rows() || turn >= keys[b].size()) return false;
      return promised(output, b, i) && !liveness[b].live(i, keys[b][turn]);
    };
    const Execution changed = execute(c.subject, c.problem, inputs, c.settings);
    if (changed.outcome.kind != RunOutcome::Kind::ran) return troubled(changed.outcome, text);
    const std::string where = first_difference(c.outputs, changed.outputs, blind, zero_sign);
    if (!where.empty()) return rejected(where + " " + text + ", which is dead for the row");
  }
  return {};
}

}  // namespace attest
