// Goal: `attest list` names everything that can be named, the name first on each line.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "harness/campaign/fault_coverage.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::list_command_test {
namespace {

using Names = std::vector<std::string>;

Names listed(const char* what) {
  const Attest attest;
  const Ran ran = attest.run({"list", what});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return first_words(ran.out);
}

Names names_of(const auto& entries) {
  Names names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

TEST(ListCommand, SeparatesSubjectsFromCanariesAndMachineFaults) {
  Names all;
  for (const auto& [what, kind] : {std::pair{"subjects", SubjectKind::healthy},
                                   {"canaries", SubjectKind::canary},
                                   {"machine-faults", SubjectKind::machine_fault}}) {
    for (const std::string& name : listed(what)) {
      EXPECT_EQ(kind_of(name), kind) << name;
      all.push_back(name);
    }
  }
  Names known = names_of(catalogue());
  std::ranges::sort(all);
  std::ranges::sort(known);
  EXPECT_EQ(all, known);
}

TEST(ListCommand, NamesFamiliesLawsAndUnits) {
  EXPECT_EQ(listed("families"), names_of(families()));
  EXPECT_EQ(listed("laws"), names_of(laws()));
  EXPECT_EQ(listed("units"), (Names{"fp32-seq", "exact-rn", "v100", "a100", "h100", "device"}));
}

TEST(ListCommand, PrintsThePageOfCoverage) {
  const Attest attest;
  const Ran ran = attest.run({"list", "coverage"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, fault_coverage());
}

}  // namespace
}  // namespace attest::list_command_test
