// kept_report.hpp - what an earlier report of `attest check` said, read back from its JSON.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/campaign/tally.hpp"

namespace attest {

struct KeptLaw {
  std::string verdict;                // "accept", "reject", "undecided", or "no case"
  std::optional<double> worst_ratio;  // of a law that judges values
};

struct KeptRow {
  std::map<std::string, KeptLaw> laws;         // by name; how runs ended is the law "run"
  std::map<std::string, std::string> digests;  // by case (SubjectTally::digests)
};

struct KeptReport {
  std::string title;                    // "tier smoke, seed 1"
  std::map<std::string, KeptRow> rows;  // by row_name
  bool has_ratios = true;               // reports of older programs have neither
  bool has_bits = true;
};

// A law by what became of its cases, and likewise how runs ended.
[[nodiscard]] KeptLaw kept_law(const LawCounts& counts);
[[nodiscard]] KeptLaw kept_run(Index troubled);

// Throws Error (usage) where the text is no report of `attest check`, or of a schema that this
// program does not know.
[[nodiscard]] KeptReport parse_kept_report(std::string_view text);

// Likewise, and where the file cannot be read; the error names the file.
[[nodiscard]] KeptReport read_kept_report(const std::filesystem::path& file);

}  // namespace attest
