#include "properties/law.hpp"

#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "properties/laws/laws.hpp"

namespace attest {
namespace {

constexpr Law kTable[] = {
    {"accuracy", "O and LSE lie within the budget of the exact answer", check_accuracy},
    {"constant_v", "with V = 1, O is 1 within the budget", check_constant_v},
    {"dead_rows", "rows without a live key, or beyond lq, hold what the subject declares",
     check_dead_rows},
    {"containment", "bytes that no row sees change no output bit", check_containment},
    {"non_interference", "a key that is dead for a row changes no bit of it",
     check_non_interference},
    {"one_key", "a row with one live key returns that key's v, and its score as LSE",
     check_one_key},
};

}  // namespace

std::span<const Law> laws() { return kTable; }

const Law& law_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Law& law : kTable) {
    if (law.name == name) return law;
    known.push_back(law.name);
  }
  throw Error(Blame::usage, unknown_name("law", name, known));
}

}  // namespace attest
