// traffic_json.hpp - counted bytes and formulas for programs: attest.traffic/1.
#pragma once

#include <span>
#include <string>

#include "harness/campaign/traffic_count.hpp"

namespace attest {

[[nodiscard]] std::string traffic_json(std::span<const ProblemTraffic> problems);

}  // namespace attest
