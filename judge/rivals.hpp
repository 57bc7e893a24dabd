// rivals.hpp - how other projects' tests decide pass or fail, each rule as they publish it.
//
// For measurements beside the judge (harness/studies/rules_in_use), never for a verdict. A rule
// sees one case's whole output and answers accept or reject. Restated from the sources that each
// names, as of November 2026.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/format.hpp"

namespace attest {

// One forward's outputs, what they should be, and what a plain low-precision run of the same
// mathematics gives, with which some rules compare. O element by element, LSE row by row.
struct RuledOutputs {
  Format format = Format::f16;  // of O
  std::vector<double> o;
  std::vector<double> exact_o;
  std::vector<double> companion_o;
  std::vector<double> lse;
  std::vector<double> exact_lse;  // -inf where a row has no live key
};

struct RivalRule {
  std::string_view name;
  std::string_view source;
  std::string_view words;  // accepted when
  bool (*accepts)(const RuledOutputs& outputs);
};

[[nodiscard]] std::span<const RivalRule> rival_rules();

}  // namespace attest
