// refusal.hpp - what a text that is refused is told, in a form that tests can ask about.
#pragma once

#include <cstddef>
#include <string>

#include "core/error.hpp"

namespace attest {

struct Refusal {
  bool refused = false;
  Blame blame = Blame::ours;
  std::string message;  // "nothing was refused" when nothing was

  [[nodiscard]] bool says(const std::string& words) const {
    return refused && message.find(words) != std::string::npos;
  }
  // The user is blamed, and shown this offset.
  [[nodiscard]] bool at(std::size_t offset) const {
    return blame == Blame::usage && says("(at offset " + std::to_string(offset) + ")");
  }
};

template <class Action>
Refusal refusal_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {true, error.blame(), error.what()};
  }
  return {false, Blame::ours, "nothing was refused"};
}

}  // namespace attest
