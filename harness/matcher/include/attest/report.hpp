// attest/report.hpp - asks the program attest for a verdict, from any test.
//
// The program is the one that this header was installed with (CMake's attest::matcher names it), or
// $ATTEST_PROGRAM, or `attest` on the PATH. It runs in a process of its own. POSIX only.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <attest/computed.hpp>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace attest {

// A plug-in (attest/subject.h): a path, "./libmine.so" or "./libmine.so#name" where it has several
// kernels. `attest check` runs them on stored and fresh cases under every law. `options` are that
// command's, say {"--pass", "both", "--cases", "100"}.
struct Plugin {
  explicit Plugin(std::string library, std::vector<std::string> more = {})
      : path(std::move(library)), options(std::move(more)) {}
  std::string path;
  std::vector<std::string> options;
};

struct Report {
  bool accepted = false;
  int status = 0;    // of the program: README, "Exit status"
  std::string text;  // what it wrote: where it rejects, the failing report
};

namespace detail {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

inline File scratch_file() {
  File file(std::tmpfile(), &std::fclose);
  if (!file) throw std::runtime_error("attest: there is no place for a scratch file");
  fcntl(fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

inline std::string program() {
  const char* chosen = std::getenv("ATTEST_PROGRAM");
  if (chosen != nullptr && *chosen != '\0') return chosen;
#ifdef ATTEST_PROGRAM
  return ATTEST_PROGRAM;
#else
  return "attest";
#endif
}

inline std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char part[4096];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;) {
    text.append(part, got);
  }
  return text;
}

// Runs it to its end with `input` as what it reads. Returns its status.
inline int run(const std::vector<std::string>& words, std::FILE* input, std::FILE* output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(output), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(output), STDERR_FILENO);
  pid_t process = 0;
  const int trouble =
      posix_spawnp(&process, arguments[0], &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (trouble != 0) {
    throw std::runtime_error("attest: cannot run " + words[0] + ": " + std::strerror(trouble));
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A verdict, or an exception: a test must not pass, nor fail, because nothing was judged.
inline Report report_of(std::vector<std::string> words, const std::string& input) {
  words.insert(words.begin(), program());
  const File in = scratch_file(), out = scratch_file();
  const bool written = std::fwrite(input.data(), 1, input.size(), in.get()) == input.size();
  if (!written || std::fflush(in.get()) != 0) {
    throw std::runtime_error("attest: a scratch file of " + std::to_string(input.size()) +
                             " bytes cannot be written");
  }
  std::rewind(in.get());
  Report report;
  report.status = run(words, in.get(), out.get());
  report.text = read_all(out.get());
  report.accepted = report.status == 0;
  const bool a_verdict =  // accepted, rejected, crashed or broke rules, undecided
      report.accepted || report.status == 1 || report.status == 3 || report.status == 7;
  if (!a_verdict) {
    throw std::runtime_error("attest gave no verdict (status " + std::to_string(report.status) +
                             "): " + report.text);
  }
  return report;
}

}  // namespace detail

// Throw std::runtime_error where there is no verdict: no program, a problem that nobody can have, a
// library that does not load, a plug-in that declines every case.
inline Report judge(const Forward& computed, const Declared& declared = {}) {
  return detail::report_of({"judge", "-"}, detail::record_of(computed, declared));
}
inline Report judge(const Backward& computed, const Declared& declared = {}) {
  return detail::report_of({"judge", "-"}, detail::record_of(computed, declared));
}
inline Report check(const Plugin& plugin) {
  std::vector<std::string> words = {"check", "--subject", "plugin:" + plugin.path};
  words.insert(words.end(), plugin.options.begin(), plugin.options.end());
  return detail::report_of(std::move(words), "");
}

}  // namespace attest
