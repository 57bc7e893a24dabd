// junit_report.hpp - what a run found as JUnit XML, in the dialect that Jenkins and GitLab read.
//
// A suite is a row of the report, (subject, format, unit, pass); its test cases are the laws, and
// "run" for how the subject's runs ended. A law that rejects a case is a failure with the failing
// report and its replay command; one that leaves a case undecided, and a run that ends badly, are
// errors. What cases a subject declined is skipped. The last suite is the campaign itself.
// There is a failure or an error exactly where the exit status is not 0.
#pragma once

#include <string>

#include "harness/report/json_report.hpp"

namespace attest {

[[nodiscard]] std::string junit_report(const RunDescription& run, const Campaign& campaign);

// One suite, a test case for each canary and one for the controls.
[[nodiscard]] std::string junit_report(const RunDescription& run, const CanaryRun& canaries);

}  // namespace attest
