#include "kernels/device/forms.hpp"

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/materialising.hpp"

namespace attest {

std::optional<int> form_named(std::string_view name) {
  for (int form = 0; form < kDeviceFormCount; ++form) {
    if (name_of_form(form) == name) return form;
  }
  const auto backward = backward_form_named(name);
  if (!backward || kBackwardForms[*backward].forward == name) return std::nullopt;
  return form_named(kBackwardForms[*backward].forward);
}

std::optional<int> backward_form_named(std::string_view name) {
  for (int form = 0; form < kBackwardFormCount; ++form) {
    if (kBackwardForms[form].name == name) return form;
  }
  return std::nullopt;
}

std::optional<std::string> declined_by_form(int form, const Problem& problem) {
  return form < kFirstMaterialising ? beyond_forward_kernels(problem)
                                    : beyond_materialising(problem);
}

}  // namespace attest
