#include "kernels/device/registry.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>
#include <typeinfo>
#include <utility>

#include "kernels/attention/backward_dk_dv.hpp"
#include "kernels/attention/backward_dq.hpp"
#include "kernels/attention/backward_rows.hpp"
#include "kernels/attention/materialising_outputs.hpp"
#include "kernels/attention/materialising_run.hpp"
#include "kernels/attention/materialising_scores.hpp"
#include "kernels/attention/materialising_weights.hpp"
#include "kernels/attention/split_run.hpp"
#include "kernels/attention/tiled_forward.hpp"
#include "kernels/device/forms.hpp"
#include "kernels/device/function_values.hpp"
#include "kernels/device/one_product.hpp"

namespace attest {
namespace {

template <class Kernel>
std::string type_of() {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(typeid(Kernel).name(), nullptr, nullptr, &status), std::free);
  return plain_kernel_type(text.get());
}

template <int kForm, class Element, std::size_t... kDims>
void add_tiled(std::vector<DeviceKernel>& all, std::string_view element,
               std::index_sequence<kDims...>) {
  constexpr TiledConfig kConfig = kTiledForms[kForm].config;
  (all.push_back({kForm, element, kHeadDims[kDims],
                  type_of<TiledForward<Element, kHeadDims[kDims], kConfig>>()}),
   ...);
}

template <int kForm, class Element, std::size_t... kDims>
void add_materialising(std::vector<DeviceKernel>& all, std::string_view element,
                       std::index_sequence<kDims...>) {
  constexpr MaterialisingConfig kConfig = kMaterialisingForms[kForm - kFirstMaterialising].config;
  using Stored = std::conditional_t<kConfig.narrow_scores, Element, float>;
  (all.push_back({kForm, element, kHeadDims[kDims],
                  type_of<MaterialisingScores<Element, Stored, kHeadDims[kDims]>>()}),
   ...);
  (all.push_back({kForm, element, kHeadDims[kDims],
                  type_of<MaterialisingOutputs<Element, Stored, kHeadDims[kDims]>>()}),
   ...);
  const auto add_weights = [&](std::string type) {
    all.push_back({kForm, element, kAnyHeadDim, std::move(type)});
  };
  add_weights(type_of<MaterialisingWeights<Element, Stored, kShortRows>>());
  add_weights(type_of<MaterialisingWeights<Element, Stored, kLongRows>>());
}

// The first form stands for all of split: they run the same kernels.
template <int kForm, class Element, std::size_t... kDims>
void add_split(std::vector<DeviceKernel>& all, std::string_view element,
               std::index_sequence<kDims...>) {
  if constexpr (kForm == kFirstSplit) {
    (all.push_back({kForm, element, kHeadDims[kDims],
                    type_of<TiledForward<Element, kHeadDims[kDims], kSplitTiles>>()}),
     ...);
    all.push_back({kForm, element, kAnyHeadDim, type_of<SplitCombine<Element>>()});
  } else if constexpr (kForm == kDecode) {
    (all.push_back(
         {kForm, element, kHeadDims[kDims], type_of<DecodeForward<Element, kHeadDims[kDims]>>()}),
     ...);
  }
}

template <int kForm, class Element>
void add_form(std::vector<DeviceKernel>& all, std::string_view element) {
  constexpr auto kDims = std::make_index_sequence<std::size(kHeadDims)>{};
  if constexpr (kForm < kFirstMaterialising) {
    add_tiled<kForm, Element>(all, element, kDims);
  } else if constexpr (kForm < kFirstSplit) {
    add_materialising<kForm, Element>(all, element, kDims);
  } else {
    add_split<kForm, Element>(all, element, kDims);
  }
}

template <DqBy kDq, class Element, std::size_t... kDims>
void add_backward(std::vector<DeviceKernel>& all, std::string_view element,
                  std::index_sequence<kDims...>) {
  constexpr BackwardConfig kConfig{.dq = kDq};
  const auto add = [&](int head_dim, std::string type) {
    all.push_back({kBackward + static_cast<int>(kDq), element, head_dim, std::move(type)});
  };
  add(kAnyHeadDim, type_of<BackwardRowDots<Element, kConfig>>());
  (add(kHeadDims[kDims], type_of<BackwardDkDv<Element, kHeadDims[kDims], kConfig>>()), ...);
  if constexpr (kDq == DqBy::atomic_sums) {
    add(kAnyHeadDim, type_of<BackwardRoundDq<Element, kConfig>>());
  } else {
    (add(kHeadDims[kDims], type_of<BackwardDq<Element, kHeadDims[kDims], kConfig>>()), ...);
  }
}

template <DqBy kDq>
void add_backward(std::vector<DeviceKernel>& all) {
  constexpr auto kDims = std::make_index_sequence<std::size(kHeadDims)>{};
  add_backward<kDq, Fp16>(all, "f16", kDims);
  add_backward<kDq, Bf16>(all, "bf16", kDims);
}

template <int... kForms>
void add_forms(std::vector<DeviceKernel>& all, std::integer_sequence<int, kForms...>) {
  (add_form<kForms, Fp16>(all, "f16"), ...);
  (add_form<kForms, Bf16>(all, "bf16"), ...);
}

}  // namespace

std::vector<DeviceKernel> device_kernels() {
  std::vector<DeviceKernel> all;
  add_forms(all, std::make_integer_sequence<int, kDeviceFormCount>{});
  add_backward<DqBy::second_pass>(all);
  add_backward<DqBy::atomic_sums>(all);
  all.push_back({kMeasurement, "f16", kAnyHeadDim, type_of<OneProduct<Fp16>>()});
  all.push_back({kMeasurement, "bf16", kAnyHeadDim, type_of<OneProduct<Bf16>>()});
  all.push_back({kMeasurement, "", kAnyHeadDim, type_of<FunctionValues>()});
  return all;
}

std::string plain_kernel_type(std::string_view demangled) {
  std::string type(demangled);
  constexpr std::string_view kEntry = "run_kernel<";
  if (const auto at = type.find(kEntry); at != std::string::npos) {
    type = type.substr(at + kEntry.size());
    type = type.substr(0, type.find(">("));
    if (type.ends_with(' ')) type.pop_back();
  }
  type = std::regex_replace(type, std::regex("attest::(cpu::|gpu::)?"), "");
  const std::regex last_zero(R"((, ((\([A-Za-z]+\))?0|false))+\})");
  return std::regex_replace(type, last_zero, "}");
}

}  // namespace attest
