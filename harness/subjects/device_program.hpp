// device_program.hpp - the client of the program that runs kernels on a GPU.
//
// A CUDA error can spoil the process that it happens in, and a hanging kernel cannot be stopped
// from within. So kernels run in a program of their own, which may die or be killed while the
// campaign goes on; the next request starts a new one.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/subjects/child_process.hpp"
#include "kernels/device/messages.hpp"

namespace attest {

// How long a request may take before the program is killed; what a context and its first launch
// take is far below.
inline constexpr std::chrono::milliseconds kDevicePatience{60'000};

class DeviceProgram {
 public:
  explicit DeviceProgram(std::filesystem::path program,
                         std::chrono::milliseconds patience = kDevicePatience)
      : program_(std::move(program)), patience_(patience) {}

  // Why there is no device to run on; nothing when there is one. Asked once.
  [[nodiscard]] std::optional<std::string> unavailable();

  // The reply, of kind failed where none came: the program crashed, hung, or sent no message. May
  // be called from several threads at once; they take turns.
  [[nodiscard]] DeviceReply ask(const DeviceRequest& request);

 private:
  [[nodiscard]] std::optional<std::string> probe() const;
  // Empty when the program runs and has greeted.
  [[nodiscard]] std::string start(Deadline deadline);
  [[nodiscard]] DeviceReply lose(StreamEnd end, const char* when, Deadline deadline);

  std::filesystem::path program_;
  std::chrono::milliseconds patience_;
  std::once_flag probed_;
  std::optional<std::string> unavailable_;
  std::mutex turn_;
  std::unique_ptr<ChildProcess> child_;
};

// $ATTEST_DEVICE_PROGRAM, or the attest-device that belongs to the running program
// (program_files.hpp).
[[nodiscard]] std::filesystem::path device_program_path();

// The one program that all subjects of this process share.
[[nodiscard]] DeviceProgram& device_program();

}  // namespace attest
