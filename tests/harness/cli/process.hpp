// process.hpp - the built program as users run it: a process with arguments, an environment, two
// streams and an exit status.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/fixtures/own_folder.hpp"

namespace attest {

struct Ran {
  int status = -1;  // 128 and more: ended by a signal
  std::string out;
  std::string err;
};

// What a process finds around it.
struct Surroundings {
  std::filesystem::path folder;  // where it runs, and where its output goes
  std::vector<std::pair<std::string, std::string>> environment;
  bool terminal = false;  // both streams are one terminal, and Ran::out holds both
};

// Requires: arguments[0] is a path.
[[nodiscard]] Ran run_process(const std::vector<std::string>& arguments,
                              const Surroundings& surroundings);

// A folder for the program to run in, with its state and, if a test wants, its goldens.
class Attest {
 public:
  // Runs `attest` with these arguments.
  [[nodiscard]] Ran run(std::vector<std::string> arguments) const;
  // Runs a line of shell as a user would paste it; `attest` is on its path.
  [[nodiscard]] Ran paste(const std::string& line) const;
  [[nodiscard]] Ran run_on_terminal(std::vector<std::string> arguments) const;

  void set(const std::string& name, const std::string& value) {
    environment_.emplace_back(name, value);
  }
  [[nodiscard]] std::filesystem::path state() const { return folder_ / "state"; }
  [[nodiscard]] const OwnFolder& folder() const { return folder_; }

 private:
  [[nodiscard]] Surroundings surroundings(bool terminal) const;

  OwnFolder folder_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

}  // namespace attest
