// traffic_table.hpp - counted bytes beside closed formulas, for a person.
#pragma once

#include <span>
#include <string>

#include "harness/campaign/traffic_count.hpp"

namespace attest {

// One problem: each tensor of each subject, counted and by formula.
[[nodiscard]] std::string traffic_report(const ProblemTraffic& traffic);

struct SweptTraffic {
  std::string about;
  ProblemTraffic traffic;
};

// All problems of a sweep as a page of Markdown.
[[nodiscard]] std::string traffic_page(std::span<const SweptTraffic> sweep);

}  // namespace attest
