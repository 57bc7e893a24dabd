// child_process.hpp - a program of ours that runs beside attest, on the other end of a socket.
//
// The socket is its standard input and output; its standard error stays attest's. Started without a
// copy of this process's memory, so that threads do not matter.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/frames.hpp"

namespace attest {

// For a program that runs code of others.
struct ChildLimits {
  bool own_group = false;  // it ends with all its descendants
  int kept = -1;           // a descriptor of ours that it finds as kKeptDescriptor
};
inline constexpr int kKeptDescriptor = 3;

class ChildProcess {
 public:
  // Throws Error (ours) when it cannot be started.
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
               const ChildLimits& limits = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // Closes the socket and gives the program a moment to end by itself; then kills it.
  ~ChildProcess();

  [[nodiscard]] FrameStream stream(Deadline deadline) const { return {socket_, socket_, deadline}; }
  // What it writes until it closes its output or the deadline passes.
  [[nodiscard]] std::string read_all(Deadline deadline) const;

  // Waits for the end until the deadline, then kills. "ended with status 3", "ended by signal 9"
  // or "was killed".
  std::string end_by(Deadline deadline);
  // The status it exited with, or the signal that ended it, if it has ended so.
  [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }
  [[nodiscard]] std::optional<int> end_signal() const { return end_signal_; }
  [[nodiscard]] bool has_ended();
  // Did end_by have to?
  [[nodiscard]] bool was_killed() const { return was_killed_; }
  // Its threads; 0 once it has ended.
  [[nodiscard]] int thread_count() const;
  // Do all of them sleep? One that waits for a processor does not.
  [[nodiscard]] bool is_asleep() const;
  // What it has used of processors so far.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const;

 private:
  void note_end(int status);
  [[nodiscard]] std::string thread_states() const;
  void kill_all() const;

  pid_t process_ = -1;
  bool own_group_ = false;
  bool was_killed_ = false;
  int socket_ = -1;
  std::string ending_;  // empty while it runs
  std::optional<int> exit_status_;
  std::optional<int> end_signal_;
};

}  // namespace attest
