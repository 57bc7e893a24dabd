// mask_agreement: the backward sees a pair exactly where the forward does. With all scores 0, a V
// that tags d_v keys by one column each makes O_ik show whether row i sees key j0 + k; a dO that
// tags d_v rows likewise makes dV_jk show whether row i0 + k sees key j. Where both windows meet,
// the two masks must be the same. No oracle takes part: it is the subject against itself.
#include <algorithm>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

// Row first + k of every head gets 1 in column k, all else 0.
Tensor tagged(const Tensor& like, Index first) {
  Tensor tags(like.format(), like.extents());
  const TensorView view = tags.view();
  const auto [batch, heads, rows, columns] = like.extents();
  const std::uint64_t one = round_to_bits(like.format(), 1);
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
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

}  // namespace

LawOutcome check_mask_agreement(const LawContext& c) {
  const Problem& p = c.problem;
  if (p.n_q == 0 || p.n_k == 0) return not_applicable();
  const std::uint64_t seed = seed_of(p, c.inputs);
  const Index i0 = window_start(seed, 0, p.n_q, p.d_v);
  const Index j0 = window_start(seed, 1, p.n_k, p.d_v);
  Inputs inputs = zero_inputs(p);
  inputs.v = tagged(c.inputs.v, j0);
  inputs.dout = tagged(c.inputs.dout, i0);
  const Execution run = execute(c.subject, p, inputs, c.settings);
  const std::string setting = "q = k = 0 and tagged rows of V and dO";
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, "with " + setting);

  const ConstTensorView o = run.outputs.o.view();
  const ConstTensorView dv = run.outputs.dv.view();
  const Index group = p.heads_q / p.heads_k;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_k; ++h) {
      for (Index i = i0; i < std::min(i0 + p.d_v, p.live_queries(b)); ++i) {
        for (Index j = j0; j < std::min(j0 + p.d_v, p.live_keys(b)); ++j) {
          const bool forward = o.value(b, h * group, i, j - j0) != 0;
          const bool backward = dv.value(b, h, j, i - i0) != 0;
          if (forward == backward) continue;
          return rejected("row i=" + std::to_string(i) + " of b=" + std::to_string(b) +
                          (forward ? " sees key j=" : " does not see key j=") + std::to_string(j) +
                          " forward, and " + (backward ? "does" : "does not") + " backward, with " +
                          setting);
        }
      }
    }
  }
  return {};
}

}  // namespace attest
