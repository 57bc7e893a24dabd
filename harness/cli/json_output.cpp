#include "harness/cli/json_output.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/report/json_report.hpp"

namespace attest {

JsonOutput::JsonOutput(std::string place) : place_(std::move(place)) {
  if (wanted() && !to_stdout()) require_report_folder(place_);
}

void JsonOutput::write(const std::string& text) const {
  if (to_stdout()) {
    fmt::print("{}", text);
  } else {
    write_report(place_, text);
  }
}

}  // namespace attest
