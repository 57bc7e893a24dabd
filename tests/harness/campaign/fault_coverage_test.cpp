// Goal: each reported class of faults has a family that reaches it, a law that rejects it and a
// canary that shows so, or waits for a feature that is named; and the page in docs says what the
// code says.
#include "harness/campaign/fault_coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"

namespace attest::fault_coverage_test {
namespace {

TEST(FaultCoverage, HoldsThirtyOneClassesInOrder) {
  ASSERT_EQ(fault_classes().size(), 31U);
  for (std::size_t n = 0; n < fault_classes().size(); ++n) {
    const std::string code = (n + 1 < 10 ? "C0" : "C") + std::to_string(n + 1);
    EXPECT_EQ(fault_classes()[n].code, code);
    EXPECT_FALSE(fault_classes()[n].name.empty()) << code;
  }
}

TEST(FaultCoverage, NamesWhatExists) {
  for (const FaultClass& fault : fault_classes()) {
    for (const std::string_view family : fault.families)
      EXPECT_NO_THROW((void)family_named(family));
    for (const std::string_view law : laws_against(fault)) EXPECT_NO_THROW((void)law_named(law));
  }
}

// Only these may wait, since their features do not exist.
TEST(FaultCoverage, LeavesNoClassOpenThatNeedNotWait) {
  const std::set<std::string_view> may_wait = {"C08", "C15", "C18", "C22", "C28", "C29"};
  for (const FaultClass& fault : fault_classes()) {
    EXPECT_EQ(!fault.waits.empty(), may_wait.contains(fault.code)) << fault.code;
    if (!fault.waits.empty()) continue;
    EXPECT_FALSE(fault.families.empty()) << fault.code;
    EXPECT_FALSE(laws_against(fault).empty()) << fault.code;
    EXPECT_FALSE(canaries_of(fault).empty()) << fault.code;
  }
}

TEST(FaultCoverage, KnowsEveryClassThatACanaryNames) {
  for (const CatalogueEntry& entry : catalogue()) {
    for (std::size_t at = 0; at < entry.classes.size(); at += 5) {  // "C03, C09"
      const std::string_view code = entry.classes.substr(at, 3);
      EXPECT_NE(std::ranges::find(fault_classes(), code, &FaultClass::code), fault_classes().end())
          << entry.name << " " << code;
    }
  }
}

TEST(FaultCoverage, IsWhatDocsSay) {
  std::ifstream stream(std::string(ATTEST_SOURCE_DIR) + "/docs/fault-coverage.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(page, fault_coverage()) << "attest list coverage > docs/fault-coverage.md";
}

}  // namespace
}  // namespace attest::fault_coverage_test
