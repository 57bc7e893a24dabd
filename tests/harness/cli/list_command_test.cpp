// Goal: `attest list` names everything that can be named, the name first on each line.
#include <gtest/gtest.h>

#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest {
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

TEST(ListCommand, SeparatesSubjectsFromCanaries) {
  Names subjects = listed("subjects");
  const Names canaries = listed("canaries");
  for (const std::string& name : subjects) EXPECT_FALSE(name.starts_with(kCanaryPrefix)) << name;
  for (const std::string& name : canaries) EXPECT_TRUE(name.starts_with(kCanaryPrefix)) << name;
  subjects.insert(subjects.end(), canaries.begin(), canaries.end());
  EXPECT_EQ(subjects, names_of(catalogue()));
}

TEST(ListCommand, NamesFamiliesLawsAndUnits) {
  EXPECT_EQ(listed("families"), names_of(families()));
  EXPECT_EQ(listed("laws"), names_of(laws()));
  EXPECT_EQ(listed("units"), (Names{"fp32-seq", "exact-rn", "v100", "a100", "h100", "device"}));
}

}  // namespace
}  // namespace attest
