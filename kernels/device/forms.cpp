#include "kernels/device/forms.hpp"

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"

namespace attest {

std::optional<int> form_named(std::string_view name) {
  for (int form = 0; form < kDeviceFormCount; ++form) {
    if (name_of_form(form) == name) return form;
  }
  const auto backward = backward_form_named(name);
  if (!backward || backward->forward == name) return std::nullopt;
  return form_named(backward->forward);
}

std::optional<std::string> declined_by_form(int form, const Problem& problem) {
  if (form < kFirstMaterialising) return beyond_forward_kernels(problem);
  if (form < kFirstSplit) return beyond_materialising(problem);
  return form < kDecode ? beyond_split(kSplitForms[form - kFirstSplit].config, problem)
                        : beyond_decode(problem);
}

}  // namespace attest
