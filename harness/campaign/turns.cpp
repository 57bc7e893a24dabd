#include "harness/campaign/turns.hpp"

#include "properties/family.hpp"

namespace attest {

std::uint64_t turn_of(std::uint64_t index, Pass pass) {
  const std::uint64_t pair = index / 2;
  const std::uint64_t drawn = families_of(pass).size();
  return pair % drawn + pair / drawn;
}

std::uint64_t round_of(std::uint64_t index, Pass pass) {
  return index / (2 * families_of(pass).size());
}

bool takes_round(std::size_t n, std::uint64_t round, Index variant_turns) {
  return (round + n) % static_cast<std::uint64_t>(variant_turns) == 0;
}

std::vector<const Law*> laws_in_turn(Pass pass, Index rerun_turns, std::uint64_t turn) {
  std::vector<const Law*> due;
  std::uint64_t place = turn;
  for (const Law& law : laws()) {
    if (!law.reruns || !law.speaks_of(pass)) continue;
    if (place++ % static_cast<std::uint64_t>(rerun_turns) == 0) due.push_back(&law);
  }
  return due;
}

}  // namespace attest
