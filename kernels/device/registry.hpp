// registry.hpp - every kernel that the device program must hold, each once.
//
// The list is made from the tables of forms, not from compiled device code; tests hold the two
// against each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

inline constexpr int kMeasurement = -1;  // serves a subcommand
inline constexpr int kBackward = 1000;   // beyond all forms of a forward
inline constexpr int kAnyHeadDim = 0;

struct DeviceKernel {
  int form;                  // its number in forms.hpp, kBackward + its DqBy, or kMeasurement
  std::string_view element;  // "f16" or "bf16"; of some measurements empty
  int head_dim;              // the padded head dimension it is compiled for, or kAnyHeadDim
  std::string type;          // its struct, as plain_kernel_type writes it
};

[[nodiscard]] std::vector<DeviceKernel> device_kernels();

// A kernel's struct in one spelling for both compilers: of a demangled name, the type below
// run_kernel<> if there is one, with the machine's namespace left out and with zeros at the end of
// a braced template argument left out, since g++ mangles no trailing zeros and nvcc does.
[[nodiscard]] std::string plain_kernel_type(std::string_view demangled);

}  // namespace attest
