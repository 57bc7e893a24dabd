// device_program.cu - the program attest-device: owns launches, copies and what a CUDA error means.
//
//   attest-device serve      answers requests on its standard streams (frames.hpp, serve.hpp)
//   attest-device probe      prints one line a device, or the CUDA error that hides them; exit 1
//   attest-device products   the matrix unit's own products of given tiles (product_lines.hpp)
//   attest-device ex2        the error of ex2.approx over all arguments (exp2_survey.hpp)
//   attest-device poly       exp2_poly and log_poly against the host's bits (poly_survey.hpp)
//   attest-device time       how long each form takes
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "kernels/device/cuda_forms.cuh"
#include "kernels/device/device_commands.cuh"
#include "kernels/device/serve.hpp"

namespace attest {
namespace {

DeviceReply answer(const DeviceRequest& request) {
  try {
    CudaMachine machine;
    return answer_with<CudaMachine>(machine, kCudaForms, request);
  } catch (const std::exception& thrown) {
    return {DeviceReply::Kind::failed, thrown.what(), !device_still_answers(), {}};
  }
}

int run_command(std::string_view command) {
  if (command == "serve") return serve(STDIN_FILENO, STDOUT_FILENO, answer);
  if (command == "probe") return print_devices();
  if (command == "products") return multiply_given_tiles();
  if (command == "ex2") return sweep_ex2();
  if (command == "poly") return sweep_poly();
  if (command == "time") return time_forms();
  std::fprintf(stderr, "attest-device serve | probe | products | ex2 | poly | time\n");
  return 2;
}

}  // namespace
}  // namespace attest

int main(int count, char** arguments) {
  try {
    return attest::run_command(count == 2 ? arguments[1] : "");
  } catch (const std::exception& thrown) {
    std::printf("%s\n", thrown.what());
    return 1;
  }
}
