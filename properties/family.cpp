#include "properties/family.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "properties/families/families.hpp"

namespace attest {

std::span<const Family> families() {
  // The order is part of what draw() promises: an index means the same case only while it stands.
  static const Family table[] = {
      gaussian_family(),        large_spread_family(),      ties_family(),
      rising_maxima_family(),   constant_v_family(),        lifted_scores_family(),
      deeply_negative_family(), cancelling_scores_family(), huge_offset_family(),
      dead_rows_family(),       one_hot_family(),           tail_sizes_family(),
      same_sign_v_family(),     live_nan_family(),          biased_d_family(),
      cancelling_dp_family(),   tiny_dout_family(),
  };
  return table;
}

std::vector<const Family*> families_of(Pass pass) {
  std::vector<const Family*> drawn;
  for (const Family& family : families()) {
    if (pass == Pass::bwd || !family.backward_only) drawn.push_back(&family);
  }
  return drawn;
}

const Family& family_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Family& family : families()) {
    if (family.name == name) return family;
    known.push_back(family.name);
  }
  throw Error(Blame::usage, unknown_name("family", name, known));
}

}  // namespace attest
