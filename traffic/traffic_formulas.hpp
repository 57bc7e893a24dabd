// traffic_formulas.hpp - which formula is whose: the table that joins subjects' names to formulas.
#pragma once

#include <span>
#include <string_view>

#include "core/problem.hpp"
#include "core/traffic.hpp"

namespace attest {

struct TrafficFormula {
  std::string_view subject;  // a name; with * at the end, the beginning of names
  MemoryUse (*forward)(const Problem& problem);
  MemoryUse (*backward)(const Problem& problem) = nullptr;  // null where there is none
};

// The first row that a subject's name matches is its.
[[nodiscard]] std::span<const TrafficFormula> traffic_formulas();

// Nothing where no row matches.
[[nodiscard]] const TrafficFormula* traffic_formula_of(std::string_view subject);

}  // namespace attest
