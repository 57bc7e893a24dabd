// backward_forms.hpp - the forms of the tiled backward that exist, by name: one table for both
// machines.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/attention/backward_config.hpp"

namespace attest {

struct BackwardForm {
  std::string_view name;     // of its subject
  std::string_view forward;  // of the form of kTiledForms that runs before it
  DqBy dq;
  WeightRule weights;  // as in that forward
};

inline constexpr BackwardForm kBackwardForms[] = {
    {"tiled", "tiled", DqBy::second_pass, {}},
    {"variant/tiled-fused", "variant/tiled-fused", DqBy::second_pass, {Exponent::fused}},
    {"variant/tiled-product-first",
     "variant/tiled-product-first",
     DqBy::second_pass,
     {Exponent::product_first}},
    {"variant/tiled-approx", "variant/tiled-approx", DqBy::second_pass, {.approximate = true}},
    {"variant/tiled-atomic-dq", "tiled", DqBy::atomic_sums, {}},
};

[[nodiscard]] constexpr std::optional<BackwardForm> backward_form_named(std::string_view name) {
  for (const BackwardForm& form : kBackwardForms) {
    if (form.name == name) return form;
  }
  return std::nullopt;
}

}  // namespace attest
