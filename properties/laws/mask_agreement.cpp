// mask_agreement: the backward sees a pair exactly where the forward does. With all scores 0, a V
// that tags d_v keys by one column each makes O_ik show whether row i sees key j0 + k; a dO that
// tags d_v rows likewise makes dV_jk show whether row i0 + k sees key j. Where both windows meet,
// the two masks must be the same. Heads of a group add into one dV, so dO tags one of them at a
// time: else a pair that one head alone loses would show by the others. It is the subject against
// itself; the oracle says no more than which rows are dead, for a subject whose O is not 0 there.
#include <algorithm>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/liveness.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

// Row first + k of the heads from_head, from_head + step, .. gets 1 in column k, all else 0.
Tensor tagged(const Tensor& like, Index first, Index from_head = 0, Index step = 1) {
  Tensor tags(like.format(), like.extents());
  const TensorView view = tags.view();
  const auto [batch, heads, rows, columns] = like.extents();
  const std::uint64_t one = round_to_bits(like.format(), 1);
  for (Index b = 0; b < batch; ++b) {
    for (Index h = from_head; h < heads; h += step) {
      for (Index k = 0; k < columns && first + k < rows; ++k) {
        view.set_bits(b, h, first + k, k, one);
      }
    }
  }
  return tags;
}

Index window_start(std::uint64_t seed, std::uint32_t which, Index rows, Index window) {
  if (rows <= window) return 0;
  const auto spare = static_cast<std::uint64_t>(rows - window + 1);
  return static_cast<Index>(random_bits(seed, {kDrawOfLaw, which, 7, 0, 0})[0] % spare);
}

struct Comparison {
  Index pairs = 0;
  std::string where;  // the first disagreement; empty where there is none
};

// Of head `member` of every group.
Comparison compare_masks(const LawContext& c, const Outputs& outputs, Index i0, Index j0,
                         Index member) {
  const Problem& p = c.problem;
  const ConstTensorView o = outputs.o.view();
  const ConstTensorView dv = outputs.dv.view();
  const Index group = p.heads_q / p.heads_k;
  const bool dead_rows_are_zero = c.subject.semantics().dead_o == DeadO::zero;
  Comparison comparison;
  for (Index b = 0; b < p.batch; ++b) {
    const Liveness liveness(p, b);
    for (Index h = 0; h < p.heads_k; ++h) {
      for (Index i = i0; i < std::min(i0 + p.d_v, p.live_queries(b)); ++i) {
        if (!dead_rows_are_zero && liveness.dead_row(i)) continue;
        for (Index j = j0; j < std::min(j0 + p.d_v, p.live_keys(b)); ++j) {
          ++comparison.pairs;
          const bool forward = o.value(b, h * group + member, i, j - j0) != 0;
          const bool backward = dv.value(b, h, j, i - i0) != 0;
          if (forward == backward) continue;
          comparison.where = "row i=" + std::to_string(i) + " of b=" + std::to_string(b) +
                             " h=" + std::to_string(h * group + member) +
                             (forward ? " sees key j=" : " does not see key j=") +
                             std::to_string(j) + " forward, and " +
                             (backward ? "does" : "does not") + " backward";
          return comparison;
        }
      }
    }
  }
  return comparison;
}

}  // namespace

LawOutcome check_mask_agreement(const LawContext& c) {
  const Problem& p = c.problem;
  if (p.n_q == 0 || p.n_k == 0) return not_applicable();
  const std::uint64_t seed = seed_of(p, c.inputs);
  const Index i0 = window_start(seed, 0, p.n_q, p.d_v);
  const Index j0 = window_start(seed, 1, p.n_k, p.d_v);
  Inputs inputs = zero_inputs(p);
  inputs.v = tagged(c.inputs.v, j0);
  const Index group = p.heads_q / p.heads_k;
  Index pairs = 0;
  for (Index member = 0; member < group; ++member) {
    inputs.dout = tagged(c.inputs.dout, i0, member, group);
    const Execution run = execute(c.subject, p, inputs, c.settings);
    const std::string setting = "with q = k = 0 and tagged rows of V and dO";
    if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, setting);
    const Comparison comparison = compare_masks(c, run.outputs, i0, j0, member);
    if (!comparison.where.empty()) return rejected(comparison.where + ", " + setting);
    pairs += comparison.pairs;
  }
  return pairs == 0 ? not_applicable() : LawOutcome{};
}

}  // namespace attest
