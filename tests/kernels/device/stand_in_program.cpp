// stand_in_program.cpp - the device program without a device: serves the same protocol from the
// emulator, and goes wrong once where a test asks for it.
//
//   ATTEST_STAND_IN_UNIT    the unit that it computes with; h100 otherwise
//   ATTEST_STAND_IN_PROBE   what `probe` prints before it fails
//   ATTEST_STAND_IN_FAULT   one of the faults below ...
//   ATTEST_STAND_IN_ONCE    ... while this file exists, which the fault removes
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "kernels/attention/backward_instances.hpp"
#include "kernels/attention/materialising_instances.hpp"
#include "kernels/attention/split_instances.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "kernels/device/frames.hpp"
#include "kernels/device/product_lines.hpp"
#include "kernels/device/serve.hpp"

namespace attest {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// True the first time that this fault is due.
bool goes_wrong(const std::string& fault) {
  return variable("ATTEST_STAND_IN_FAULT") == fault &&
         std::remove(variable("ATTEST_STAND_IN_ONCE").c_str()) == 0;
}

void write_bytes(const void* data, std::size_t size) {
  if (write(STDOUT_FILENO, data, size) < 0) std::abort();
}

[[noreturn]] void hang() {
  while (true) pause();
}

template <int kForm>
void run_emulated(Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                  const ForwardOutputs& outputs) {
  if constexpr (kForm < kFirstMaterialising) {
    run_tiled_form<kForm>(machine, problem, inputs, outputs);
  } else if constexpr (kForm < kFirstSplit) {
    run_materialising_form<kForm - kFirstMaterialising>(machine, problem, inputs, outputs);
  } else if constexpr (kForm < kDecode) {
    run_split_emulated(machine, kSplitForms[kForm - kFirstSplit].config, problem, inputs, outputs);
  } else {
    run_decode_emulated(machine, problem, inputs, outputs);
  }
}

template <int... kForms, std::size_t... kWays>
constexpr FormTables<Emulator> emulated_forms(std::integer_sequence<int, kForms...>,
                                              std::index_sequence<kWays...>) {
  return {{run_emulated<kForms>...}, {run_backward_instance<kWaysToSumDq[kWays]>...}};
}
constexpr FormTables<Emulator> kForms =
    emulated_forms(std::make_integer_sequence<int, kDeviceFormCount>{},
                   std::make_index_sequence<std::size(kWaysToSumDq)>{});

Emulation chosen_emulation() {
  const std::string unit = variable("ATTEST_STAND_IN_UNIT");
  Emulation emulation;
  emulation.unit = *matrix_unit_of(*unit_named(unit.empty() ? "h100" : unit));
  return emulation;
}

DeviceReply compute(const DeviceRequest& request) {
  Emulator emulator(chosen_emulation());
  return answer_with<Emulator>(emulator, kForms, request);
}

int multiply_given_tiles() {
  for (std::string line; std::getline(std::cin, line);) {
    Emulator emulator(chosen_emulation());
    std::printf("%s\n", answer_product_line(emulator, line).c_str());
  }
  return 0;
}

DeviceReply answer(const DeviceRequest& request) {
  if (goes_wrong("exits")) _exit(7);
  if (goes_wrong("hangs")) hang();
  if (goes_wrong("cuda-error")) {
    return {DeviceReply::Kind::failed, "cudaMemcpy: cudaErrorIllegalAddress (invented)", true, {}};
  }
  DeviceReply reply = compute(request);
  if (goes_wrong("dies-in-the-middle")) {
    const Bytes message = encode(reply);
    const std::uint64_t length = message.size();
    write_bytes(&length, sizeof length);
    write_bytes(message.data(), message.size() / 2);
    raise(SIGKILL);
  }
  if (goes_wrong("garbage")) {
    const std::uint64_t length = 5;
    write_bytes(&length, sizeof length);
    write_bytes("nope!", 5);
    hang();
  }
  if (goes_wrong("endless")) {
    const std::uint64_t length = std::uint64_t{1} << 60;
    write_bytes(&length, sizeof length);
    hang();
  }
  if (goes_wrong("wrong-size")) reply.outputs[0].resize(reply.outputs[0].size() / 2);
  return reply;
}

int run_command(const std::string& command) {
  if (command == "probe") {
    const std::string trouble = variable("ATTEST_STAND_IN_PROBE");
    std::printf("%s\n", trouble.empty() ? "device 0: the emulator, sm_90" : trouble.c_str());
    return trouble.empty() ? 0 : 1;
  }
  if (command == "products") return multiply_given_tiles();
  if (command != "serve") return 2;
  if (goes_wrong("exits-at-once")) return 5;
  if (goes_wrong("greets-otherwise")) {
    write_bytes("attest-device protocol 0\nand more", 33);
    hang();
  }
  return serve(STDIN_FILENO, STDOUT_FILENO, answer);
}

}  // namespace
}  // namespace attest

int main(int count, char** arguments) {
  return attest::run_command(count == 2 ? arguments[1] : "");
}
