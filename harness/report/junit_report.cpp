#include "harness/report/junit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/report/canary_table.hpp"
#include "harness/report/declined_text.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/report/shortcomings.hpp"
#include "harness/report/xml_text.hpp"

namespace attest {
namespace {

enum class Ending : std::uint8_t { passed, skipped, failed, error };

struct TestCase {
  std::string name;
  double seconds = 0;
  Ending ending = Ending::passed;
  std::string type = {};     // of what went wrong: "reject", "crashed"
  std::string message = {};  // in one line
  std::string text = {};
};

struct Suite {
  std::string name;
  std::vector<TestCase> cases = {};

  [[nodiscard]] Index count(Ending ending) const {
    return std::ranges::count(cases, ending, &TestCase::ending);
  }
  [[nodiscard]] double seconds() const {
    double sum = 0;
    for (const TestCase& one : cases) sum += one.seconds;
    return sum;
  }
};

// The first of a subject and a law is explained, in the row where it was met.
std::string explanation(const Campaign& campaign, const SubjectKey& row, std::string_view law) {
  std::string text;
  for (const Failure& failure : campaign.failures) {
    if (failure.subject->name() != row.subject || failure.law != law) continue;
    if (row_of(failure) == row) {
      text += failing_report(failure, {});
    } else {
      text += "explained once for the subject and the law: see " + row_name(row_of(failure)) + "\n";
    }
  }
  return text;
}

TestCase run_case(const Campaign& campaign, const SubjectKey& row, const SubjectTally& subject) {
  TestCase test{"run", subject.seconds};
  if (subject.endings.empty()) return test;
  test.ending = Ending::failed;
  for (const auto& [kind, count] : subject.endings) {
    if (is_misconduct(kind)) test.ending = Ending::error;
    if (test.type.empty() || is_misconduct(kind)) test.type = name_of(kind);
    test.message += fmt::format("{}{} of {} runs: {}", test.message.empty() ? "" : "; ", count,
                                subject.cases, name_of(kind));
  }
  test.text = explanation(campaign, row, kRunItself);
  for (const auto& [law, counts] : subject.laws) {  // of which an extra run ended badly
    if (counts.rejected == 0) test.text += explanation(campaign, row, law);
  }
  return test;
}

TestCase law_case(const Campaign& campaign, const SubjectKey& row, const std::string& law,
                  const LawCounts& counts) {
  TestCase test{law, counts.seconds};
  const Index cases = counts.accepted + counts.rejected + counts.undecided;
  if (counts.rejected > 0) {
    test.ending = Ending::failed;
    test.type = "reject";
    test.message = fmt::format("{} of {} cases rejected", counts.rejected, cases);
    test.text = explanation(campaign, row, law);
  } else if (counts.undecided > 0) {
    test.ending = Ending::error;
    test.type = "undecided";
    test.message = fmt::format("{} of {} cases undecided", counts.undecided, cases);
  }
  return test;
}

Suite row_suite(const Campaign& campaign, const SubjectKey& row, const SubjectTally& subject) {
  Suite suite{row_name(row), {run_case(campaign, row, subject)}};
  for (const std::string& law : campaign.tally.laws_of(row.pass)) {
    const auto counts = subject.laws.find(law);
    if (counts == subject.laws.end()) continue;
    suite.cases.push_back(law_case(campaign, row, law, counts->second));
  }
  return suite;
}

Suite declined_suite(const Tally& tally) {
  Suite suite{"declined"};
  for (const auto& [subject, count] : tally.unsupported) {
    suite.cases.push_back({subject, 0, Ending::skipped, "", declined_text(tally, subject)});
  }
  return suite;
}

Suite campaign_suite(const Campaign& campaign) {
  Suite suite{"campaign"};
  for (const Shortcoming& one : shortcomings(campaign)) {
    TestCase test{one.name};
    if (!one.text.empty()) {
      test.ending = Ending::error;
      test.type = "campaign";
      test.message = one.text.substr(0, one.text.find('\n'));
      test.text = one.text;
    }
    suite.cases.push_back(std::move(test));
  }
  return suite;
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

// Jenkins takes what stands before the last dot for a package.
std::string class_name(std::string suite) {
  std::ranges::replace(suite, '.', '_');
  return suite;
}

void write(XmlText& xml, const std::string& suite, const TestCase& test) {
  const XmlText::Attributes attributes = {
      {"name", test.name}, {"classname", class_name(suite)}, {"time", seconds_text(test.seconds)}};
  if (test.ending == Ending::passed) return xml.leaf("testcase", attributes);
  xml.open("testcase", attributes);
  if (test.ending == Ending::skipped) {
    xml.leaf("skipped", {{"message", test.message}});
  } else {
    xml.leaf(test.ending == Ending::failed ? "failure" : "error",
             {{"message", test.message}, {"type", test.type}}, test.text);
  }
  xml.close();
}

XmlText::Attributes counts_of(std::string name, const std::vector<Suite>& suites) {
  Index tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  for (const Suite& suite : suites) {
    tests += static_cast<Index>(suite.cases.size());
    failures += suite.count(Ending::failed);
    errors += suite.count(Ending::error);
    skipped += suite.count(Ending::skipped);
    seconds += suite.seconds();
  }
  return {{"name", std::move(name)},
          {"tests", std::to_string(tests)},
          {"failures", std::to_string(failures)},
          {"errors", std::to_string(errors)},
          {"skipped", std::to_string(skipped)},
          {"time", seconds_text(seconds)}};
}

std::string written(const RunDescription& run, const std::vector<Suite>& suites) {
  XmlText xml;
  xml.open("testsuites", counts_of("attest " + run.command, suites));
  for (const Suite& suite : suites) {
    xml.open("testsuite", counts_of(suite.name, {suite}));
    xml.open("properties", {});
    for (const auto& [name, value] : {std::pair<std::string, std::string>{"tier", run.tier},
                                      {"seed", std::to_string(run.seed)},
                                      {"exit_status", std::to_string(run.exit_status)}}) {
      xml.leaf("property", {{"name", name}, {"value", value}});
    }
    xml.close();
    for (const TestCase& test : suite.cases) write(xml, suite.name, test);
    xml.close();
  }
  xml.close();
  return xml.text();
}

}  // namespace

std::string junit_report(const RunDescription& run, const Campaign& campaign) {
  std::vector<Suite> suites;
  for (const auto& [row, subject] : campaign.tally.subjects) {
    suites.push_back(row_suite(campaign, row, subject));
  }
  if (!campaign.tally.unsupported.empty()) suites.push_back(declined_suite(campaign.tally));
  suites.push_back(campaign_suite(campaign));
  return written(run, suites);
}

std::string junit_report(const RunDescription& run, const CanaryRun& canaries) {
  Suite suite{"canaries"};
  for (const CanaryVerdict& canary : canaries.canaries) {
    TestCase test{canary.canary->name};
    if (!canary.caught()) {
      test.ending = canary.cut_short ? Ending::error : Ending::failed;
      test.type = canary.cut_short ? "interrupted" : "missed";
      test.message = canary_verdict(canary);
      if (canary.rejected) test.text = failing_report(canary.failure, {});
    }
    suite.cases.push_back(std::move(test));
  }
  TestCase controls{"controls"};
  if (canaries.control_refused > 0) {
    controls.ending = Ending::failed;
    controls.type = "reject";
    controls.message = fmt::format("{} of {} runs of controls are not accepted",
                                   canaries.control_refused, canaries.control_runs);
    if (canaries.control_failure) controls.text = failing_report(*canaries.control_failure, {});
  }
  suite.cases.push_back(std::move(controls));
  return written(run, {suite});
}

}  // namespace attest
