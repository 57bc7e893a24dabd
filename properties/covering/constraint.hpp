// constraint.hpp - which features never meet, and why.
//
// A cell that a constraint excludes counts neither as drawn nor as missing. What may stand here is
// narrow: what is no problem at all, what a family's own purpose rules out, and what would be the
// same case again. What a subject cannot do is none of these: such cases are drawn, and declined.
#pragma once

#include <span>
#include <string_view>

#include "properties/covering/parameter.hpp"

namespace attest {

struct Constraint {
  std::string_view name;    // "F21 keys"
  std::string_view reason;  // a sentence
  // Is no case with these features drawn, whatever the open ones are?
  bool (*excludes)(Pass pass, const Features& features);
};

[[nodiscard]] std::span<const Constraint> constraints();
// The first that excludes the features, null if none does.
[[nodiscard]] const Constraint* constraint_on(Pass pass, const Features& features);

}  // namespace attest
