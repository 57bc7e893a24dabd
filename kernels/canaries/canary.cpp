#include "kernels/canaries/canary.hpp"

#include <vector>

#include "kernels/canaries/canary_of.hpp"
#include "kernels/canaries/faults/dropped_dq_tile.hpp"
#include "kernels/canaries/faults/ds_truncated.hpp"
#include "kernels/canaries/faults/m01_nan_swallowed.hpp"
#include "kernels/canaries/faults/m01_no_dead_guard.hpp"
#include "kernels/canaries/faults/m04_max_kept_at_zero.hpp"
#include "kernels/canaries/faults/m05_poisoned_v_tail.hpp"
#include "kernels/canaries/faults/m07_int32_offset.hpp"
#include "kernels/canaries/faults/m08_merge_without_guard.hpp"
#include "kernels/canaries/faults/m08_merge_without_max.hpp"
#include "kernels/canaries/faults/m11_top_left_causal.hpp"
#include "kernels/canaries/faults/m14_unmasked_length_tail.hpp"
#include "kernels/canaries/faults/m16_unpadded_readback.hpp"
#include "kernels/canaries/faults/m17_dqk_for_dv.hpp"
#include "kernels/canaries/faults/m18_head_modulo.hpp"
#include "kernels/canaries/faults/m18_last_writer.hpp"
#include "kernels/canaries/faults/m20_unmasked_backward.hpp"
#include "kernels/canaries/faults/m22_finite_sentinel.hpp"
#include "kernels/canaries/faults/m23_f16_accumulator.hpp"
#include "kernels/canaries/faults/m23_f16_gradients.hpp"
#include "kernels/canaries/faults/m31_lse_base_2.hpp"
#include "kernels/canaries/faults/m31_lse_gradient_ignored.hpp"
#include "kernels/canaries/faults/m36_bf16_alpha.hpp"
#include "kernels/canaries/faults/m36_narrow_d.hpp"
#include "kernels/canaries/faults/o_truncated.hpp"
#include "kernels/canaries/faults/p_truncated.hpp"
#include "kernels/canaries/faults/rounded_d.hpp"
#include "kernels/canaries/faults/tile_softmax.hpp"
#include "kernels/canaries/more_canaries.hpp"
#include "kernels/canaries/plain.hpp"

namespace attest {
namespace {

constexpr std::string_view kControl = "canary/none";

Canary control() {
  Canary canary{};
  canary.name = kControl;
  canary.make = [] { return make_plain(std::string(kControl), {}, true); };
  return canary;
}

}  // namespace

std::span<const Canary> canaries() {
  static const Canary kFirst[] = {
      control(),
      canary_of<NoDeadGuard>(),
      canary_of<NanSwallowed>(),
      canary_of<MaxKeptAtZero>(),
      canary_of<PoisonedVTail>(),
      canary_of<Int32Offset, Int32Offset, Int32Offset>(),
      canary_of<MergeWithoutGuard>(),
      canary_of<MergeWithoutMax>(),
      canary_of<TopLeftCausal>(),
      canary_of<UnmaskedLengthTail>(),
      canary_of<UnpaddedReadback>(),
      canary_of<DqkForDv>(),
      canary_of<HeadModulo>(),
      canary_of<LastWriter>(),
      canary_of<UnmaskedBackward>(),
      canary_of<FiniteSentinel>(),
      canary_of<F16Accumulator>(),
      canary_of<F16Gradients>(),
      canary_of<LseBase2>(),
      canary_of<LseBase2Backward, LseBase2, NoFault>(),
      canary_of<LseGradientIgnored>(),
      canary_of<Bf16Alpha>(),
      canary_of<NarrowD<Format::f16>>(),
      canary_of<NarrowD<Format::bf16>>(),
      canary_of<DroppedDqTile>(),
      canary_of<DsTruncated>(),
      canary_of<OTruncated>(),
      canary_of<PTruncated>(),
      canary_of<RoundedD>(),
      canary_of<TileSoftmax>(),
  };
  static const std::vector<Canary> all = [] {
    std::vector<Canary> joined(std::begin(kFirst), std::end(kFirst));
    for (const std::span<const Canary> more : {forward_canaries(), backward_canaries()}) {
      joined.insert(joined.end(), more.begin(), more.end());
    }
    return joined;
  }();
  return all;
}

}  // namespace attest
