#include "kernels/canaries/canary.hpp"

#include "kernels/canaries/faults/m01_nan_swallowed.hpp"
#include "kernels/canaries/faults/m01_no_dead_guard.hpp"
#include "kernels/canaries/faults/m04_max_kept_at_zero.hpp"
#include "kernels/canaries/faults/m05_poisoned_v_tail.hpp"
#include "kernels/canaries/faults/m11_top_left_causal.hpp"
#include "kernels/canaries/faults/m14_unmasked_length_tail.hpp"
#include "kernels/canaries/faults/m18_head_modulo.hpp"
#include "kernels/canaries/faults/m22_finite_sentinel.hpp"
#include "kernels/canaries/faults/m23_f16_accumulator.hpp"
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

template <class Fault>
Canary canary_of() {
  return {Fault::kName,
          Fault::kCode,
          Fault::kFault,
          Fault::kLaw,
          Fault::kMostKeys,
          []() -> std::unique_ptr<Subject> {
            return std::make_unique<PlainSubject<Fault>>(std::string(Fault::kName));
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
      canary_of<TopLeftCausal>(),
      canary_of<UnmaskedLengthTail>(),
      canary_of<HeadModulo>(),
      canary_of<FiniteSentinel>(),
      canary_of<F16Accumulator>(),
      canary_of<TileSoftmax>(),
  };
  return kCanaries;
}

}  // namespace attest
