#include "harness/subjects/child_process.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <thread>

#include "core/error.hpp"

extern char** environ;

namespace attest {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kMomentToEnd{2000};
constexpr milliseconds kBetweenLooks{2};

// posix_spawn's actions and attributes, freed on every way out.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
};

int spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          int socket, const ChildLimits& limits, pid_t* process) {
  SpawnPlan plan;
  posix_spawn_file_actions_adddup2(&plan.actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, socket, STDOUT_FILENO);
  if (limits.kept >= 0) {
    posix_spawn_file_actions_adddup2(&plan.actions, limits.kept, kKeptDescriptor);
  }
  if (limits.own_group) {
    posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&plan.attributes, 0);
  }
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  return posix_spawn(process, program.c_str(), &plan.actions, &plan.attributes, words.data(),
                     environ);
}

}  // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments, const ChildLimits& limits)
    : own_group_(limits.own_group) {
  std::array<int, 2> ends{};
  int trouble = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    trouble = errno;
  } else {
    trouble = spawn(program, arguments, ends[1], limits, &process_);
    close(ends[1]);
    socket_ = ends[0];
    if (trouble != 0) close(socket_);
  }
  if (trouble != 0) {
    throw Error(Blame::ours, "cannot start " + program.string() + ": " + std::strerror(trouble));
  }
}

ChildProcess::~ChildProcess() {
  close(socket_);
  end_by(steady_clock::now() + kMomentToEnd);
}

std::string ChildProcess::read_all(Deadline deadline) const {
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now()).count();
    pollfd waiting{socket_, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) return text;
    const ssize_t got = read(socket_, buffer.data(), buffer.size());
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

bool ChildProcess::has_ended() {
  if (!ending_.empty()) return true;
  siginfo_t ended{};
  if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      ended.si_pid != process_) {
    return false;
  }
  if (own_group_) kill_all();  // while nobody else can be called as it was
  int status = 0;
  waitpid(process_, &status, 0);
  note_end(status);
  return true;
}

std::string ChildProcess::end_by(Deadline deadline) {
  while (!has_ended()) {
    if (steady_clock::now() >= deadline) {
      kill_all();
      int status = 0;
      waitpid(process_, &status, 0);
      note_end(status);
      was_killed_ = true;
      ending_ = "was killed";
    } else {
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
  return ending_;
}

int ChildProcess::thread_count() const { return static_cast<int>(thread_states().size()); }

bool ChildProcess::is_asleep() const {
  return thread_states().find_first_not_of("STtIZX") == std::string::npos;
}

std::chrono::nanoseconds ChildProcess::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (!ending_.empty() || clock_getcpuclockid(process_, &clock) != 0 ||
      clock_gettime(clock, &used) != 0) {
    return {};
  }
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// A letter each: R, S, D, ... of proc(5).
std::string ChildProcess::thread_states() const {
  std::string states;
  if (!ending_.empty()) return states;
  std::error_code none;
  const std::string folder = "/proc/" + std::to_string(process_) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(folder, none)) {
    std::ifstream file(task.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_ends = line.rfind(')');
    if (name_ends != std::string::npos && name_ends + 2 < line.size())
      states += line[name_ends + 2];
  }
  return states;
}

void ChildProcess::kill_all() const { kill(own_group_ ? -process_ : process_, SIGKILL); }

void ChildProcess::note_end(int status) {
  if (WIFEXITED(status)) {
    exit_status_ = WEXITSTATUS(status);
    ending_ = "ended with status " + std::to_string(*exit_status_);
  } else {
    end_signal_ = WTERMSIG(status);
    ending_ = "ended by signal " + std::to_string(*end_signal_);
  }
}

}  // namespace attest
