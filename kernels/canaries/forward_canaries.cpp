#include "kernels/canaries/canary_of.hpp"
#include "kernels/canaries/faults/m02_finite_mask_cap.hpp"
#include "kernels/canaries/faults/m03_infinite_difference.hpp"
#include "kernels/canaries/faults/m08_two_parts_merged.hpp"
#include "kernels/canaries/faults/m09_skipped_part.hpp"
#include "kernels/canaries/faults/m10_batch_stride.hpp"
#include "kernels/canaries/faults/m10_part_bounds.hpp"
#include "kernels/canaries/faults/m12_causal_tile_bound.hpp"
#include "kernels/canaries/faults/m12_other_tile_tail.hpp"
#include "kernels/canaries/faults/m13_mask_per_row_group.hpp"
#include "kernels/canaries/faults/m15_window_bounds.hpp"
#include "kernels/canaries/faults/m19_stride_ignored.hpp"
#include "kernels/canaries/faults/m21_undeclared_fusion.hpp"
#include "kernels/canaries/faults/m24_hard_coded_max.hpp"
#include "kernels/canaries/faults/m25_lazy_rescale.hpp"
#include "kernels/canaries/faults/m33_m38_first_plan.hpp"
#include "kernels/canaries/faults/m33_padded_scale.hpp"
#include "kernels/canaries/faults/m36_coarse_arithmetic.hpp"
#include "kernels/canaries/faults/m37_first_row_only.hpp"
#include "kernels/canaries/faults/m38_options.hpp"
#include "kernels/canaries/faults/permuted_columns.hpp"
#include "kernels/canaries/more_canaries.hpp"

namespace attest {

std::span<const Canary> forward_canaries() {
  static const Canary kRows[] = {
      canary_of<FiniteMaskCap>(),     canary_of<InfiniteDifference>(),
      canary_of<SkippedPart>(),       canary_of<BatchStride>(),
      canary_of<CausalTileBound>(),   canary_of<MaskPerRowGroup>(),
      canary_of<WindowTooWide>(),     canary_of<WindowTooNarrow>(),
      canary_of<WindowOfBothSides>(), canary_of<NegativeWindow>(),
      canary_of<VStrideIgnored>(),    canary_of<UndeclaredFusion>(),
      canary_of<HardCodedMax>(),      canary_of<LazyInWrongFrame>(),
      canary_of<LazyBeyondRange>(),   canary_of_plans<CachedScale>(),
      canary_of_plans<StaleBand>(),   canary_of<PaddedScale>(),
      canary_of<ScoresInBf16>(),      canary_of<RowSumInTf32>(),
      canary_of<CubicExp2>(),         canary_of<FirstRowOnly>(),
      canary_of<LaunchDropped>(),     canary_of<PermutedColumns>(),
      canary_of<TwoPartsMerged>(),    canary_of<PartBounds>(),
      canary_of<OtherTileTail>(),
  };
  return kRows;
}

}  // namespace attest
