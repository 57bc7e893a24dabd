// json_report.hpp - the same facts for programs: schema "attest.report/1". Numbers that must
// survive are hexadecimal strings.
#pragma once

#include <filesystem>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/canary_run.hpp"
#include "harness/report/comparison.hpp"

namespace attest {

// What was asked for, which the results alone do not tell.
struct RunDescription {
  std::string command;
  std::string tier;
  std::uint64_t seed = 0;
  int exit_status = 0;
};

// With a part "against" where there is a comparison.
[[nodiscard]] std::string json_report(const RunDescription& run, const Campaign& campaign,
                                      const Comparison* comparison = nullptr);
[[nodiscard]] std::string json_report(const RunDescription& run, const CanaryRun& canaries);

// Before a long run: throws Error (usage) where the report of it would have no place.
void require_report_folder(const std::filesystem::path& file);

// Written beside and renamed. Throws Error (usage) when the file cannot be written.
void write_report(const std::filesystem::path& file, const std::string& text);

}  // namespace attest
