#include "kernels/canaries/canary.hpp"

#include <algorithm>
#include <type_traits>

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
#include "kernels/canaries/plain.hpp"
#include "kernels/canaries/plain_subject.hpp"

namespace attest {
namespace {

constexpr std::string_view kControl = "canary/none";

Canary control() {
  Canary canary{};
  canary.name = kControl;
  canary.make = [] { return make_plain(std::string(kControl)); };
  return canary;
}

// The arithmetic of a canary's control: of the plain form of that name, or the default.
PlainConfig config_named(std::string_view control) {
  const auto form = std::ranges::find(plain_forms(), control, &PlainForm::name);
  return form == plain_forms().end() ? PlainConfig{} : form->config;
}

// A fault of the backward comes with the healthy forward, one of the forward with the healthy
// backward, unless it is said otherwise.
template <class Fault>
constexpr bool kOfBackward = Fault::kPass == Pass::bwd;
template <class Fault>
using InForward = std::conditional_t<kOfBackward<Fault>, NoFault, Fault>;
template <class Fault>
using InBackward = std::conditional_t<kOfBackward<Fault>, Fault, NoFault>;

template <class Fault, class Forward = InForward<Fault>, class Backward = InBackward<Fault>>
Canary canary_of() {
  return {Fault::kName,
          Fault::kCode,
          Fault::kFault,
          Fault::kLaw,
          Fault::kMostKeys,
          Fault::kPass,
          Fault::kControl,
          []() -> std::unique_ptr<Subject> {
            return std::make_unique<PlainSubject<Forward, Backward>>(std::string(Fault::kName),
                                                                     config_named(Fault::kControl));
          }};
}

}  // namespace

std::span<const Canary> canaries() {
  static const Canary kCanaries[] = {
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
  return kCanaries;
}

}  // namespace attest
