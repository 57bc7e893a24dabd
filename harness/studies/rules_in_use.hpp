// rules_in_use.hpp - the rules of other projects' tests on the outputs that the judge sees.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/subject.hpp"
#include "harness/studies/study.hpp"

namespace attest {

// Canaries that a rule tells from their controls: it rejects the one on a case on which it accepts
// the other. And runs of healthy kernels that it rejects.
struct RuleCounts {
  std::string_view name;
  std::string_view source;
  std::string_view words;
  std::set<std::string> caught_on_gaussian =
      {};                             // on a case of F0, as the rules' own tests draw them
  std::set<std::string> caught = {};  // on any case
  std::size_t false_alarms_on_gaussian = 0;
  std::size_t false_alarms = 0;
};

struct RulesInUse {
  std::size_t canaries = 0;  // how many ran
  std::size_t healthy = 0;
  std::size_t cases = 0;
  std::size_t gaussian_cases = 0;
  std::size_t healthy_runs = 0;
  std::size_t gaussian_healthy_runs = 0;
  std::vector<RuleCounts> rules;  // those of others, then the law accuracy, then all laws
};

// Forward cases of these families, so many of each in f16 and as many in bf16.
[[nodiscard]] RulesInUse compare_rules(const std::vector<std::string_view>& families, int of_each);

// README.md and data.csv.
[[nodiscard]] std::vector<StudyFile> make_rules_in_use();

[[nodiscard]] std::string rules_page(const RulesInUse& study);
[[nodiscard]] std::string rules_csv(const RulesInUse& study);

}  // namespace attest
