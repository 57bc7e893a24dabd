#include "kernels/canaries/canary_of.hpp"
#include "kernels/canaries/faults/m06_unwritten.hpp"
#include "kernels/canaries/faults/m12_other_tile_tail.hpp"
#include "kernels/canaries/faults/m16_wide_tail.hpp"
#include "kernels/canaries/faults/m18_four_heads.hpp"
#include "kernels/canaries/faults/m19_stride_ignored.hpp"
#include "kernels/canaries/faults/m27_order_of_the_moment.hpp"
#include "kernels/canaries/faults/m34_stages_disagree.hpp"
#include "kernels/canaries/faults/m38_options.hpp"
#include "kernels/canaries/more_canaries.hpp"

namespace attest {

std::span<const Canary> backward_canaries() {
  static const Canary kRows[] = {
      canary_of<UnwrittenTail>(),     canary_of<LeftoverScratch>(),
      canary_of<DoutStrideIgnored>(), canary_of<OrderOfTheMoment>(),
      canary_of<DRowMajor>(),         canary_of<EmptyEntryEndsAll>(),
      canary_of<OptionDropped>(),     canary_of<OtherTileTailBackward>(),
      canary_of<FourHeads>(),         canary_of<WideTail>(),
  };
  return kRows;
}

}  // namespace attest
