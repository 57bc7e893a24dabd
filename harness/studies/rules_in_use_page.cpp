// How the comparison with rules in use is told: as a page and a table.
#include <fmt/format.h>

#include <algorithm>

#include "harness/studies/rules_in_use.hpp"

namespace attest {
namespace {

bool is_own(const RuleCounts& rule) { return rule.name.starts_with("attest"); }

// The rules of others alone.
std::vector<RuleCounts> of_others(const RulesInUse& study) {
  std::vector<RuleCounts> others;
  std::ranges::copy_if(study.rules, std::back_inserter(others),
                       [](const RuleCounts& rule) { return !is_own(rule); });
  return others;
}

std::string share(std::size_t part, std::size_t whole) {
  return fmt::format(
      "{:.1f} %", whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// A bar in a cell would end it.
std::string in_a_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string rule_table(const RulesInUse& study) {
  std::string text = fmt::format(
      "| rule | accepts when | canaries caught of {}: Gaussian values | any values | healthy runs "
      "rejected: "
      "Gaussian values | any values |\n| --- | --- | --- | --- | --- | --- |\n",
      study.canaries);
  for (const RuleCounts& rule : study.rules) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", rule.name, in_a_cell(rule.words),
                        rule.caught_on_gaussian.size(), rule.caught.size(),
                        share(rule.false_alarms_on_gaussian, study.gaussian_healthy_runs),
                        share(rule.false_alarms, study.healthy_runs));
  }
  return text;
}

std::string source_list(const RulesInUse& study) {
  std::string text;
  for (const RuleCounts& rule : of_others(study)) {
    text += fmt::format("- {}: {}\n", rule.name, rule.source);
  }
  return text;
}

// Caught by attest, and by no rule of others on any case.
std::string seen_by_nobody_else(const RulesInUse& study) {
  std::string text;
  for (const std::string& canary : study.rules.back().caught) {
    const bool seen = std::ranges::any_of(study.rules, [&](const RuleCounts& rule) {
      return !is_own(rule) && rule.caught.contains(canary);
    });
    if (!seen) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", canary);
  }
  return text.empty() ? "none" : text;
}

std::string findings(const RulesInUse& study) {
  const std::vector<RuleCounts> others = of_others(study);
  const auto caught = [](const RuleCounts& rule) { return rule.caught.size(); };
  const auto on_gaussian = [](const RuleCounts& rule) { return rule.caught_on_gaussian.size(); };
  const auto alarms = [](const RuleCounts& rule) { return rule.false_alarms; };
  const auto fewest_alarms = std::ranges::min(others, {}, alarms).false_alarms;
  const auto most_alarms = std::ranges::max(others, {}, alarms).false_alarms;
  return fmt::format(
      "- **Gaussian values.** No rule of others catches more than {} of {} canaries, all laws "
      "catch {}. What is left needs another look rather than a\n"
      "  smaller limit: other layouts, a second call, bytes that nobody may read.\n"
      "- **Values of all families.** The rules catch {} to {}, and reject {} to {} of the healthy "
      "runs: a limit that is right for one range of scores is\n"
      "  wrong for another. Budgets, which know the scores, catch {} in the same single runs and "
      "reject {}.\n",
      on_gaussian(std::ranges::max(others, {}, on_gaussian)), study.canaries,
      study.rules.back().caught_on_gaussian.size(), caught(std::ranges::min(others, {}, caught)),
      caught(std::ranges::max(others, {}, caught)), share(fewest_alarms, study.healthy_runs),
      share(most_alarms, study.healthy_runs), study.rules[others.size()].caught.size(),
      study.rules.back().false_alarms == 0
          ? "none"
          : share(study.rules.back().false_alarms, study.healthy_runs));
}

}  // namespace

std::string rules_csv(const RulesInUse& study) {
  std::string text = "rule,canary,on_gaussian\n";
  for (const RuleCounts& rule : study.rules) {
    for (const std::string& canary : rule.caught) {
      text += fmt::format("\"{}\",{},{}\n", rule.name, canary,
                          rule.caught_on_gaussian.contains(canary) ? "yes" : "no");
    }
  }
  return text;
}

std::string rules_page(const RulesInUse& study) {
  return fmt::format(R"(# Rules in use

**Question.** Projects that write attention kernels compare with another run under a limit of their own. On the very same outputs, which wrong kernels
does each rule reject, which healthy ones, and how much of that is owed to the values that are drawn?

**Command.** `attest study rules-in-use` writes this page and [data.csv](data.csv) anew.

**Method.** {} forward cases of attest's smoke draw, {} of them with Gaussian values, as the rules' own tests draw them; shapes, masks and lengths are attest's in
both, so that columns differ in values alone. Cases with a live NaN or infinity are left out, and rows beyond a length. On each the {} forward canaries and the {} healthy kernels `plain` and its variants run once; a rule
sees all of the outputs, as its source has it: O, and LSE where it asks for that. The exact value is the middle of the oracle's enclosure; the companion of the first three
rules is a run in the inputs' format whose K times the scale, S and P are stored in 16 bits. A canary counts as caught
where a rule rejects it on some case on which the same rule accepts the canary's control. The rows of attest are the law `accuracy` alone, which sees what the rules
see, and all laws, which may run the kernel again.

## What it says

{}
{}- **Caught by attest and, on any case, by no rule of others**: {}.

## What it does not say

The rules guard tests of their own, with shapes and repetitions that are not repeated here; only their decisions are. Rules whose limits need more than outputs (oneDNN's weighted sums, the accuracy
contract of Composable Kernel, aotriton's factors by tensor) are left out, as are gradients. `canary/m01-nan-swallowed`
errs only where a NaN is live, so that nothing here can catch it.

## Sources

Restated from these, as of November 2026.

{})",
                     study.cases, study.gaussian_cases, study.canaries, study.healthy,
                     rule_table(study), findings(study), seen_by_nobody_else(study),
                     source_list(study));
}

}  // namespace attest
