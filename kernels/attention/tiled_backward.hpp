// tiled_backward.hpp - the backward of forms of the tiled kernel.
#pragma once

#include <string_view>

#include "kernels/attention/emulated_subject.hpp"

namespace attest {

// Gives a form the backward of that name in backward_forms.hpp, if there is one: what runs, what it
// declines, what it declares. Otherwise leaves the form as it is.
void add_backward(EmulatedForm& form, std::string_view name);

}  // namespace attest
