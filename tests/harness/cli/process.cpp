#include "tests/harness/cli/process.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariables[] = {"ATTEST_CACHE_DIR", "ATTEST_GOLDEN_DIR",
                                      "ATTEST_STATE_DIR", "GITHUB_STEP_SUMMARY",
                                      "XDG_CACHE_HOME",   "HOME",
                                      "NO_COLOR",         "TERM"};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void redirect(int stream, const fs::path& file, int flags) {
  const int opened = open(file.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, stream) < 0) _exit(126);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const Surroundings& around) {
  if (chdir(around.folder.c_str()) != 0) _exit(126);
  for (const char* name : kVariables) unsetenv(name);
  for (const auto& [name, value] : around.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

int status_after(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ran run_on_terminal(const std::vector<std::string>& arguments, const Surroundings& around) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) return {};
  if (child == 0) become(arguments, around);
  Ran ran;
  char buffer[4096];
  for (ssize_t got = 1; got > 0;) {  // reading fails once the other end is closed
    got = read(terminal, buffer, sizeof buffer);
    if (got > 0) ran.out.append(buffer, static_cast<std::size_t>(got));
  }
  ran.status = status_after(child);
  close(terminal);
  return ran;
}

}  // namespace

Ran run_process(const std::vector<std::string>& arguments, const Surroundings& around) {
  if (around.terminal) return run_on_terminal(arguments, around);
  const fs::path out = around.folder / "stdout";
  const fs::path err = around.folder / "stderr";
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
    become(arguments, around);
  }
  const int status = status_after(child);
  return {status, text_of(out), text_of(err)};
}

Surroundings Attest::surroundings(bool terminal) const {
  Surroundings around{folder_.path(), {{"ATTEST_STATE_DIR", state().string()}}, terminal};
  around.environment.insert(around.environment.end(), environment_.begin(), environment_.end());
  return around;
}

Ran Attest::run(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), ATTEST_PROGRAM);
  return run_process(arguments, surroundings(false));
}

Ran Attest::run_on_terminal(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), ATTEST_PROGRAM);
  return run_process(arguments, surroundings(true));
}

Ran Attest::paste(const std::string& line) const {
  Surroundings around = surroundings(false);
  around.environment.emplace_back("PATH", fs::path(ATTEST_PROGRAM).parent_path().string());
  return run_process({"/bin/sh", "-c", line}, around);
}

}  // namespace attest
