#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "core/file_bytes.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/check_case.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/subjects/recorded_subject.hpp"

namespace attest {
namespace {

struct JudgeOptions {
  std::string file = "-";
  CacheOption cache;
};

std::string text_of(const std::string& file) {
  if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  const std::vector<std::byte> bytes = read_file(file, Blame::usage);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Those that need no second run of what has run elsewhere.
std::vector<const Law*> laws_of_one_run() {
  std::vector<const Law*> chosen;
  for (const Law& law : laws()) {
    if (!law.reruns) chosen.push_back(&law);
  }
  return chosen;
}

void print_law(const Case& c, const SubjectResult& run, const LawResult& law,
               const Palette& palette) {
  const LawOutcome& outcome = law.outcome;
  if (outcome.verdict == Verdict::reject) {
    Failure failure;
    failure.subject = run.subject;
    failure.unit = run.unit;
    failure.law = law.law->name;
    failure.original = failure.shrunk.smallest = c;
    failure.outcome = outcome;
    fmt::print("{}", rejected_report(failure, palette));
    return;
  }
  const bool accepted = outcome.verdict == Verdict::accept;
  fmt::print("{:<18} {}", law.law->name,
             accepted ? palette.green("accept") : palette.yellow("undecided"));
  const ElementJudgement* worst = outcome.judgement ? outcome.judgement->worst() : nullptr;
  if (worst != nullptr) fmt::print("  worst ratio {:.3g} at {}", worst->ratio, place_of(*worst));
  fmt::print("{}\n", accepted || outcome.detail.empty() ? "" : "  " + outcome.detail);
  if (outcome.judgement && !outcome.judgement->assumed.empty() && law.law->name == "accuracy") {
    fmt::print("assumed at their worst, not declared: {}\n",
               fmt::join(outcome.judgement->assumed, " "));
  }
}

int judge_record(const JudgeOptions& options) {
  const RecordedCall call = read_recorded_call(text_of(options.file));
  const auto subject = recorded_subject(call);
  const KeptAnswers kept(options.cache);
  RunChoice choice{emulated_units(), 0, 0, cores()};
  choice.oracle = kept.oracle();
  const Case c{call.problem, call.inputs};
  const Subject* const subjects[] = {subject.get()};
  const CaseResult result = check_case(c, call.inputs, subjects, laws_of_one_run(), choice);
  const SubjectResult& run = result.subjects.front();
  Campaign campaign;
  campaign.tally.add(result);
  if (run.unsupported) fmt::print(stderr, "attest: recorded call: {}\n", *run.unsupported);
  if (verdict_of(run) == Verdict::reject) campaign.rejected_cases = 1;
  if (verdict_of(run) == Verdict::undecided) campaign.undecided_cases = 1;
  for (const LawResult& law : run.laws) print_law(c, run, law, palette_of(stdout));
  return exit_status(campaign);
}

}  // namespace

void add_judge_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "judge", "judge what a kernel was given and has written elsewhere (attest.call/1)");
  auto options = std::make_shared<JudgeOptions>();
  command->add_option("file", options->file, "the recorded call; - is standard input")
      ->capture_default_str();
  add_cache_option(*command, options->cache);
  command->footer(
      "Example: attest judge call.txt\n"
      "Laws that run the subject again are not asked. attest/matcher.hpp writes such a record for\n"
      "tests in GoogleTest; the format stands in harness/subjects/recorded_call.hpp.");
  command->callback([&chosen, options] { chosen = [options] { return judge_record(*options); }; });
}

}  // namespace attest
