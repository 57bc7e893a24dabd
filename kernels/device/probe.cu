#include <cstdio>

#include "kernels/device/device_commands.cuh"
#include "kernels/machine/cuda_calls.cuh"

namespace attest {

int print_devices() {
  int count = 0;
  require_success("cudaGetDeviceCount", cudaGetDeviceCount(&count));
  if (count == 0) throw Error(Blame::ours, "cudaGetDeviceCount: no device");
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    require_success("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
    std::printf("device %d: %s, sm_%d%d, %d multiprocessors\n", device, properties.name,
                properties.major, properties.minor, properties.multiProcessorCount);
  }
  return 0;
}

}  // namespace attest
