// json_output.hpp - where the report for programs goes, as --json says: to a file, or with "-" to
// standard output, which the page for people then leaves.
#pragma once

#include <cstdio>
#include <string>

namespace attest {

class JsonOutput {
 public:
  // Empty: no report is asked for. Throws Error (usage) where a file would have no place, so that
  // nobody waits in vain.
  explicit JsonOutput(std::string place);

  [[nodiscard]] bool wanted() const { return !place_.empty(); }
  // The stream of the page for people.
  [[nodiscard]] std::FILE* page() const { return to_stdout() ? stderr : stdout; }
  // Throws Error (usage) when the file cannot be written.
  void write(const std::string& text) const;

 private:
  [[nodiscard]] bool to_stdout() const { return place_ == "-"; }

  std::string place_;
};

}  // namespace attest
