#include <cstdio>
#include <iostream>

#include "kernels/device/device_commands.cuh"
#include "kernels/device/product_lines.hpp"
#include "kernels/machine/cuda_machine.cuh"

namespace attest {

int multiply_given_tiles() {
  for (std::string line; std::getline(std::cin, line);) {
    CudaMachine machine;
    std::printf("%s\n", answer_product_line(machine, line).c_str());
  }
  return 0;
}

}  // namespace attest
