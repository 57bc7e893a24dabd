// compare_outputs.hpp - outputs of two calls on the same values, that began with another poison.
#pragma once

#include <string>
#include <vector>

#include "core/problem.hpp"
#include "core/semantics.hpp"
#include "harness/subjects/isolation/call_shapes.hpp"

namespace attest {

// Each of them names the first element found, and is empty if there is none.
struct Differences {
  std::string unwritten;  // still holds what stood there before one of the calls
  std::string different;  // two other values
};

// Rows that a declaration leaves open are left out: rows beyond a length unless zero is declared
// there, and O and LSE of dead rows where their values are unspecified.
// Requires: rows of bytes as the shapes tell, the first of a call that began with Poison::first.
// Only a second one that began with Poison::second tells what it left unwritten.
[[nodiscard]] Differences compare_outputs(const Problem& problem, const Semantics& semantics,
                                          const std::vector<CallShape>& shapes,
                                          const std::vector<Bytes>& first,
                                          const std::vector<Bytes>& second);

}  // namespace attest
