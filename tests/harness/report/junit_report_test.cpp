// Goal: the tools that read JUnit XML see what the exit status says: rows as suites, laws as tests,
// and a failure that tells everything.
#include "harness/report/junit_report.hpp"

#include <gtest/gtest.h>

#include "harness/report/failing_report.hpp"
#include "harness/report/shortcomings.hpp"
#include "tests/harness/report/gate_sample.hpp"
#include "tests/harness/report/parsed_xml.hpp"

namespace attest::junit_report_test {
namespace {

std::unique_ptr<XmlElement> parsed(const Campaign& campaign) {
  const int status = exit_status(campaign);
  ParsedXml xml = parse_xml(junit_report({"check", "smoke", 42, status}, campaign));
  EXPECT_EQ(xml.error, "");
  return std::move(xml.root);
}

int broken_tests(const Campaign& campaign) {
  const auto root = parsed(campaign);
  return root->count("failure") + root->count("error");
}

TEST(JUnitReport, CountsItsElementsInEverySuiteAndInAll) {
  const auto root = parsed(gate_sample());
  EXPECT_EQ(root->name, "testsuites");
  const auto agrees = [](const XmlElement& suite) {
    EXPECT_EQ(suite.at("tests"), std::to_string(suite.count("testcase"))) << suite.at("name");
    EXPECT_EQ(suite.at("failures"), std::to_string(suite.count("failure"))) << suite.at("name");
    EXPECT_EQ(suite.at("errors"), std::to_string(suite.count("error"))) << suite.at("name");
    EXPECT_EQ(suite.at("skipped"), std::to_string(suite.count("skipped"))) << suite.at("name");
    EXPECT_GE(std::stod(suite.at("time")), 0);
  };
  agrees(*root);
  for (const auto& suite : root->children) agrees(*suite);
  EXPECT_GT(std::stoi(root->at("failures")), 0);
  EXPECT_GT(std::stoi(root->at("errors")), 0);
  EXPECT_EQ(root->at("skipped"), "1");
  EXPECT_GT(std::stod(root->at("time")), 0);
}

TEST(JUnitReport, HasASuiteForEachRowAndATestForEachLawThatSpoke) {
  const Campaign& campaign = gate_sample();
  const auto root = parsed(campaign);
  EXPECT_EQ(root->children.size(), campaign.tally.subjects.size() + 2);  // declined, campaign
  for (const auto& [row, subject] : campaign.tally.subjects) {
    const XmlElement* suite = root->child(row_name(row));
    ASSERT_NE(suite, nullptr) << row_name(row);
    EXPECT_NE(suite->child("run"), nullptr);
    EXPECT_EQ(suite->count("testcase"), static_cast<int>(subject.laws.size()) + 1);
    for (const auto& [law, counts] : subject.laws) {
      const XmlElement* test = suite->child(law);
      ASSERT_NE(test, nullptr) << law;
      EXPECT_EQ(test->count("failure") > 0, counts.rejected > 0) << row_name(row) << law;
      EXPECT_EQ(test->at("classname").find('.'), std::string::npos);
    }
  }
  const XmlElement* property = root->children.at(0)->children.at(0)->child("seed");
  ASSERT_NE(property, nullptr);
  EXPECT_EQ(property->at("value"), "42");
}

TEST(JUnitReport, GivesEachFailureItsReportAndReplayCommandOnce) {
  const Campaign& campaign = gate_sample();
  const auto root = parsed(campaign);
  ASSERT_FALSE(campaign.failures.empty());
  for (const Failure& failure : campaign.failures) {
    const XmlElement* suite = root->child(row_name(row_of(failure)));
    ASSERT_NE(suite, nullptr);
    const XmlElement* test = suite->child(failure.law);
    ASSERT_NE(test, nullptr) << failure.law;
    const XmlElement& wrong = *test->children.at(0);
    EXPECT_NE(wrong.text.find(replay_command(failure)), std::string::npos) << wrong.text;
    EXPECT_NE(wrong.at("message"), "");
    const bool crashed = failure.law == kRunItself;  // not in a law's extra run
    EXPECT_EQ(wrong.name, crashed ? "error" : "failure");
    EXPECT_EQ(wrong.at("type"), crashed ? "crashed" : "reject");
  }
}

TEST(JUnitReport, HoldsABrokenTestExactlyWhereTheExitStatusIsNotZero) {
  Campaign campaign = accepted_campaign();
  ASSERT_EQ(exit_status(campaign), 0);
  EXPECT_EQ(broken_tests(campaign), 0);
  const auto with = [&](auto change) {
    Campaign changed = campaign;
    change(changed);
    EXPECT_NE(exit_status(changed), 0);
    return broken_tests(changed);
  };
  EXPECT_EQ(with([](Campaign& c) { c.empty = {"family F1", "family F2"}; }), 1);
  EXPECT_EQ(with([](Campaign& c) { c.unrecorded = "disk full"; }), 1);
  EXPECT_EQ(with([](Campaign& c) { c.too_unbounded = {{"F1", "plain"}}; }), 1);
  EXPECT_EQ(with([](Campaign& c) { c.interrupted = c.unfinished = true; }), 1);
  EXPECT_EQ(with([](Campaign& c) { c = Campaign(); }), 1);
  EXPECT_EQ(with([](Campaign& c) {
              ++c.undecided_cases;
              ++c.tally.subjects.begin()->second.laws.at("accuracy").undecided;
            }),
            1);
  EXPECT_EQ(with([](Campaign& c) {
              ++c.troubled_cases;
              ++c.tally.subjects.begin()->second.endings[RunOutcome::Kind::hung];
            }),
            1);
  EXPECT_EQ(with([](Campaign& c) {
              ++c.rejected_cases;
              ++c.tally.subjects.begin()->second.endings[RunOutcome::Kind::nondeterministic];
            }),
            1);
}

TEST(JUnitReport, TellsOfCanariesOneByOne) {
  CatalogueEntry caught, missed, late;
  caught.name = "canary/caught";
  missed.name = "canary/missed";
  late.name = "canary/late";
  CanaryRun run;
  run.canaries.resize(3);
  run.canaries[0].canary = &caught;
  run.canaries[0].rejected = run.canaries[0].small = run.canaries[0].control_accepted = true;
  run.canaries[1].canary = &missed;
  run.canaries[2].canary = &late;
  run.canaries[2].cut_short = true;
  run.control_runs = 5;
  run.control_refused = 1;
  const ParsedXml xml = parse_xml(junit_report({"canaries", "smoke", 1, 1}, run));
  ASSERT_NE(xml.root, nullptr) << xml.error;
  EXPECT_EQ(xml.root->at("tests"), "4");
  const XmlElement& suite = *xml.root->children.at(0);
  EXPECT_EQ(suite.child("canary/caught")->children.size(), 0U);
  EXPECT_EQ(suite.child("canary/missed")->children.at(0)->name, "failure");
  EXPECT_EQ(suite.child("canary/late")->children.at(0)->name, "error");
  EXPECT_EQ(suite.child("controls")->children.at(0)->at("message"),
            "1 of 5 runs of controls are not accepted");
}

}  // namespace
}  // namespace attest::junit_report_test
