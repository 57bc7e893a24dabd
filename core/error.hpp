// error.hpp - the one exception type: the world is not as the program needs it.
//
// Caught once, in harness/cli/main.cpp, which prints what() as one line and exits with the status
// that belongs to the blame. Numeric outcomes are values, never exceptions.
#pragma once

#include <stdexcept>
#include <string>

namespace attest {

enum class Blame {
  usage,         // The user's words or files: exit status 2.
  subject_load,  // A subject that cannot be loaded: exit status 6.
  ours,          // Our own files or machine: a corrupt golden, a full disk: exit status 4.
};

class Error : public std::runtime_error {
 public:
  // `message` names the thing, the place and the offending value, in one line.
  Error(Blame blame, const std::string& message) : std::runtime_error(message), blame_(blame) {}

  [[nodiscard]] Blame blame() const { return blame_; }

 private:
  Blame blame_;
};

}  // namespace attest
