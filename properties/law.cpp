#include "properties/law.hpp"

#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/scope.hpp"

namespace attest {
namespace {

constexpr bool kReruns = true;
constexpr Law kTable[] = {
    {"accuracy", "O and LSE lie within the budget of the exact answer", Passes::both,
     check_accuracy},
    {"constant_v", "with V = 1, O is 1 within the budget", Passes::fwd, check_constant_v, kReruns,
     has_live_rows},
    {"dead_rows", "rows without a live key, or beyond lq, hold what the subject declares",
     Passes::both, check_dead_rows},
    {"containment", "bytes that no row sees change no output bit", Passes::both, check_containment,
     kReruns, has_unseen_bytes},
    {"non_interference", "a key that is dead for a row changes no bit of it", Passes::both,
     check_non_interference, kReruns, has_mixed_keys},
    {"one_key", "a row with one live key returns that key's v, and its score as LSE", Passes::fwd,
     check_one_key, kReruns, has_pairs},
    {"gradient_accuracy", "dQ, dK and dV lie within the budget of the exact gradients", Passes::bwd,
     check_gradient_accuracy},
    {"stage_accuracy", "they do so from the stored O and LSE, taken as exact", Passes::bwd,
     check_stage_accuracy},
    {"replay", "outputs are what the declared schedule can compute, value by value", Passes::both,
     check_replay},
    {"score_gradient_sum", "the gradients of a row's scores sum to the gradient of its LSE",
     Passes::bwd, check_score_gradient_sum, kReruns, has_live_rows},
    {"zero_dout", "without dO and gL every gradient is exactly 0", Passes::bwd, check_zero_dout,
     kReruns},
    {"dout_linearity", "-2 dO gives -2 times the gradients within the budget", Passes::bwd,
     check_dout_linearity, kReruns, has_live_rows},
    {"key_permutation", "keys in reverse give the same dQ, and dK and dV in reverse", Passes::bwd,
     check_key_permutation, kReruns, has_free_order},
    {"group_sum", "one query head's share reaches dK and dV of its group", Passes::bwd,
     check_group_sum, kReruns, has_shared_keys},
    {"mask_agreement", "the backward sees a pair exactly where the forward does", Passes::bwd,
     check_mask_agreement, kReruns, has_pairs},
    {"determinism", "what is not declared atomic has the same bits in every schedule", Passes::bwd,
     check_determinism, kReruns},
    {"big_offsets", "entries that lie over 2^32 elements apart give the same bits", Passes::both,
     check_big_offsets, kReruns, has_entries_apart},
    {"write_traffic", "a subject that stores no scores writes no more than O(n d) bytes",
     Passes::both, check_write_traffic},
    {"write_coverage", "outputs do not depend on what stood there, and nothing beside them changes",
     Passes::both, check_write_coverage, kReruns, has_outputs},
    {"layout", "outputs have the same bits wherever the elements of a tensor lie", Passes::both,
     check_layout, kReruns, has_outputs},
    {"head_isolation", "other values in one group of heads change no bit of another", Passes::both,
     check_head_isolation, kReruns, has_other_groups},
    {"slices", "some rows of one entry and group are as right alone as among the others",
     Passes::both, check_slices, kReruns, has_live_rows},
    {"longer_buffer", "dead keys behind the last length change no answer", Passes::both,
     check_longer_buffer, kReruns, has_live_rows},
    {"two_calls", "a call with another scale and band is right, and leaves nothing behind",
     Passes::both, check_two_calls, kReruns, has_pairs},
    {"envelope", "a head dimension beyond 256 is declined, or computed right", Passes::both,
     check_envelope, kReruns, has_outputs},
    {"configurations", "other tiles, parts or schedules that the subject offers are as right",
     Passes::both, check_configurations, kReruns, has_outputs},
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
