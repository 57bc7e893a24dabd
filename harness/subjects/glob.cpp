#include "harness/subjects/glob.hpp"

namespace attest {

bool glob_matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() != '*') {
    return !name.empty() && pattern.front() == name.front() &&
           glob_matches(pattern.substr(1), name.substr(1));
  }
  for (std::size_t taken = 0; taken <= name.size(); ++taken) {
    if (glob_matches(pattern.substr(1), name.substr(taken))) return true;
  }
  return false;
}

}  // namespace attest
