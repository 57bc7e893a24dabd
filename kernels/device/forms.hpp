// forms.hpp - every form of every kernel that a device program serves, by number; the backward by
// how it sums dQ.
//
// The number picks the source file in which nvcc compiles a form (form.cu.in), so that forms
// compile beside each other. Forms that break the machine's rules stay on the emulator, which can
// name what they do.
#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/subject.hpp"
#include "kernels/attention/backward_forms.hpp"
#include "kernels/attention/materialising_forms.hpp"
#include "kernels/attention/split_forms.hpp"
#include "kernels/attention/tiled_forms.hpp"

namespace attest {

// Tiled forms first, then materialising ones, each in a source of its own; then those of split
// keys, which share their kernels and one source (split_forms.cu), decode last.
inline constexpr int kFirstMaterialising = static_cast<int>(std::size(kTiledForms));
inline constexpr int kFirstSplit =
    kFirstMaterialising + static_cast<int>(std::size(kMaterialisingForms));
inline constexpr int kDecode = kFirstSplit + static_cast<int>(std::size(kSplitForms));
inline constexpr int kDeviceFormCount = kDecode + 1;

// Of its subject. Requires, here and below: 0 <= form < kDeviceFormCount.
constexpr std::string_view name_of_form(int form) {
  if (form < kFirstMaterialising) return kTiledForms[form].name;
  if (form < kFirstSplit) return kMaterialisingForms[form - kFirstMaterialising].name;
  return form < kDecode ? kSplitForms[form - kFirstSplit].name : kDecodeForm.name;
}

// That runs the forward of the subject of that name; subjects may share one.
[[nodiscard]] std::optional<int> form_named(std::string_view name);

// A sentence naming what is beyond the form's reach; nothing when it takes the problem.
[[nodiscard]] std::optional<std::string> declined_by_form(int form, const Problem& problem);

// A form's host code on one machine.
template <class Machine>
using RunForm = void (*)(Machine&, const Problem&, const ForwardInputs&, const ForwardOutputs&);
template <class Machine>
using RunBackward = void (*)(Machine&, const Problem&, const BackwardInputs&,
                             const BackwardOutputs&, const WeightRule&);
template <class Machine>
struct FormTables {
  std::array<RunForm<Machine>, kDeviceFormCount> forward;
  std::array<RunBackward<Machine>, std::size(kWaysToSumDq)> backward;  // by DqBy
};

}  // namespace attest
