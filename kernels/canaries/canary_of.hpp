// canary_of.hpp - a row of the list of canaries, from what a fault says of itself.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "kernels/canaries/plain_subject.hpp"
#include "kernels/canaries/planning_subject.hpp"

namespace attest {

// The arithmetic of a canary's control: of the plain form of that name, or the default.
[[nodiscard]] inline PlainConfig config_named(std::string_view control) {
  const auto form = std::ranges::find(plain_forms(), control, &PlainForm::name);
  return form == plain_forms().end() ? PlainConfig{} : form->config;
}

// A fault of the backward comes with the healthy forward, one of the forward with the healthy
// backward, unless it is said otherwise.
template <class Fault>
constexpr bool kOfBackward = Fault::kPass == Pass::bwd;
template <class Fault>
using InForward = std::conditional_t<kOfBackward<Fault>, NoFault, Fault>;
template <class Fault>
using InBackward = std::conditional_t<kOfBackward<Fault>, Fault, NoFault>;

template <class Fault, class Forward = InForward<Fault>, class Backward = InBackward<Fault>>
Canary canary_of() {
  return {Fault::kName,
          Fault::kCode,
          Fault::kFault,
          Fault::kLaw,
          Fault::kMostKeys,
          Fault::kPass,
          Fault::kControl,
          Fault::kClasses,
          []() -> std::unique_ptr<Subject> {
            return std::make_unique<PlainSubject<Forward, Backward>>(std::string(Fault::kName),
                                                                     config_named(Fault::kControl),
                                                                     Fault::kOffersConfigurations);
          }};
}

// Of a fault that overrides what a plan keeps, in the forward.
template <class Fault>
Canary canary_of_plans() {
  Canary canary = canary_of<Fault>();
  canary.make = []() -> std::unique_ptr<Subject> {
    return std::make_unique<PlanningSubject<Fault>>(std::string(Fault::kName));
  };
  return canary;
}

}  // namespace attest
