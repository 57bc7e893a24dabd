#include "properties/family.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "properties/families/families.hpp"

namespace attest {

namespace {

// What error/budget from the stored O and LSE a healthy soak reaches on dQ, dK and dV.
Family with_floors(Family family, double dq, double dk, double dv) {
  family.least_dq_ratio = dq;
  family.least_dk_ratio = dk;
  family.least_dv_ratio = dv;
  return family;
}

}  // namespace

std::span<const Family> families() {
  // The order is part of what draw() promises: an index means the same case only while it stands.
  static const Family table[] = {
      with_floors(gaussian_family(), 0.4, 0.4, 0.4),
      with_floors(large_spread_family(), 0.4, 0.4, 0.4),
      with_floors(ties_family(), 0.4, 0.4, 0.3),
      with_floors(rising_maxima_family(), 0.3, 0.4, 0.4),
      with_floors(constant_v_family(), 0.3, 0.4, 0.4),
      with_floors(lifted_scores_family(), 0.3, 0.3, 0.3),
      with_floors(deeply_negative_family(), 0.3, 0.4, 0.4),
      with_floors(cancelling_scores_family(), 0.2, 0.3, 0.3),
      with_floors(huge_offset_family(), 0.2, 0.3, 0.3),
      with_floors(dead_rows_family(), 0.3, 0.3, 0.4),
      with_floors(one_hot_family(), 0.2, 0.3, 0.2),
      with_floors(tail_sizes_family(), 0.3, 0.3, 0.3),
      with_floors(same_sign_v_family(), 0.3, 0.4, 0.4),
      with_floors(live_nan_family(), 0.4, 0.3, 0.3),
      with_floors(biased_d_family(), 0.3, 0.3, 0.4),
      with_floors(cancelling_dp_family(), 0.3, 0.4, 0.4),
      with_floors(tiny_dout_family(), 0.5, 0.5, 0.5),
      with_floors(falling_maxima_family(), 0.5, 0.5, 0.5),
      with_floors(scores_past_f16_family(), 0.2, 0.25, 0.3),
      with_floors(subnormal_weights_family(), 0.4, 0.6, 0.6),
      with_floors(equal_scores_family(), 0.6, 0.5, 0.3),
      with_floors(truncated_products_family(), 0.5, 0.4, 0.5),
      with_floors(outliers_family(), 0.6, 0.5, 0.6),
      with_floors(named_places_family(), 0.4, 0.5, 0.5),
      with_floors(structured_family(), 0.5, 0.5, 0.5),
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
