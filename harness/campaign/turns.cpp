#include "harness/campaign/turns.hpp"

#include "properties/family.hpp"

namespace attest {

std::uint64_t turn_of(std::uint64_t index, Pass pass) {
  const std::uint64_t pair = index / 2;
  const std::uint64_t drawn = families_of(pass).size();
  return pair % drawn + pair / drawn;
}

std::uint64_t rerun_turn_of(std::uint64_t index, Pass pass) {
  return turn_of(index, pass) + index % 2;
}

bool is_due(const Law& law, Pass pass, Index rerun_turns, std::uint64_t rerun_turn) {
  if (!law.reruns) return true;
  std::uint64_t before = 0;  // laws of the pass that rerun, too
  for (const Law& other : laws()) {
    if (other.name == law.name) break;
    before += other.reruns && other.speaks_of(pass);
  }
  return (rerun_turn + before) % static_cast<std::uint64_t>(rerun_turns) == 0;
}

}  // namespace attest
