// counterexamples.hpp - the list of cases that once failed, replayed before anything new.
//
// One line a case: the case string, then the subject and the law that it failed, separated by
// blanks, and the unit if it was another than fp32-seq; '#' starts a comment line. The file is
// rewritten beside itself and renamed. No line holds a schedule seed: a failure that needs one has
// it in its report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/unit.hpp"

namespace attest {

struct Counterexample {
  Case c;
  std::string subject;
  std::string law;
  Unit unit = Unit::fp32_seq;
  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

// A missing file is an empty list. Throws Error (usage) naming file, line and defect.
[[nodiscard]] std::vector<Counterexample> read_counterexamples(const std::filesystem::path& file);

// Adds one unless the list has it; creates the file and its folder where they are missing.
void add_counterexample(const std::filesystem::path& file, const Counterexample& counterexample);

}  // namespace attest
