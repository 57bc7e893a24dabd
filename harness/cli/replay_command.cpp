#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/check_case.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "harness/report/failing_report.hpp"

namespace attest {
namespace {

struct ReplayOptions {
  std::string case_text;
  SubjectOptions subjects;
  std::vector<std::string> units;
  std::string schedule_seed = "0";
  CacheOption cache;
};

std::string verdict_line(const LawResult& law, const Palette& palette) {
  const Verdict verdict = law.outcome.verdict;
  const std::string word = verdict == Verdict::accept   ? palette.green("accept")
                           : verdict == Verdict::reject ? palette.red("REJECT")
                                                        : palette.yellow("undecided");
  std::string text = fmt::format("  {:<18} {}", law.law->name, word);
  if (!law.outcome.detail.empty()) text += "  " + law.outcome.detail;
  if (verdict != Verdict::accept && !law.outcome.setting.empty()) {
    text += " (" + law.outcome.setting + ")";
  }
  return text + "\n";
}

// Of the laws that judge the case's own outputs, the worst elements are shown.
bool judges_outputs(const LawResult& law) {
  const std::string_view name = law.law->name;
  return name == "accuracy" || name == "gradient_accuracy" || name == "stage_accuracy" ||
         name == "replay";
}

void print_result(const SubjectResult& result, const Palette& palette) {
  if (result.unsupported) {
    fmt::print("{}  unsupported: {}\n", result.subject->name(), *result.unsupported);
    return;
  }
  fmt::print("{} on {}{}\n", result.subject->name(), name_of(result.unit),
             result.shared ? ", the run of " + *result.shared : "");
  if (result.trouble.kind != RunOutcome::Kind::ran) {
    fmt::print("  {}  {}: {}\n", palette.red("RUN FAILED"), name_of(result.trouble.kind),
               result.trouble.detail);
  }
  for (const LawResult& law : result.laws) {
    fmt::print("{}", verdict_line(law, palette));
    if (law.outcome.judgement && judges_outputs(law)) {
      for (const TensorJudgement* tensor : law.outcome.judgement->tensors()) {
        if (!tensor->worst) continue;
        const ElementJudgement& worst = *tensor->worst;
        fmt::print("  worst {} of {} judged, {} without a finite budget\n", place_of(worst),
                   tensor->judged, tensor->unbounded);
        fmt::print("{}", element_report(worst));
      }
    }
  }
}

int replay(const ReplayOptions& options) {
  const Case c = parse_case(options.case_text);
  const ChosenSubjects chosen = choose_subjects(options.subjects);
  const Inputs inputs = inputs_of(c, state_folder());
  const KeptAnswers kept(options.cache);
  RunChoice choice{parse_units(options.units), 0, parse_schedule_seed(options.schedule_seed),
                   cores()};
  choice.oracle = kept.oracle();
  const CaseResult result = check_case(c, inputs, chosen.subjects, every_law(), choice);
  Campaign campaign;
  campaign.tally.add(result);
  const Palette palette = palette_of(stdout);
  for (const SubjectResult& run : result.subjects) {
    print_result(run, palette);
    if (is_misconduct(run.trouble.kind)) ++campaign.troubled_cases;
    if (verdict_of(run) == Verdict::reject) ++campaign.rejected_cases;
    if (verdict_of(run) == Verdict::undecided) ++campaign.undecided_cases;
  }
  return exit_status(campaign);
}

}  // namespace

void add_replay_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("replay", "judge one case again, every law, with its worst elements");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("case", options->case_text, "a case string, as failing reports print it")
      ->required();
  add_subject_options(*command, options->subjects);
  command->add_option("--unit", options->units, "matrix unit; repeatable [the first supported]");
  command
      ->add_option("--schedule-seed", options->schedule_seed,
                   "order of whatever the emulated machine may reorder, as reports print it")
      ->capture_default_str();
  add_cache_option(*command, options->cache);
  command->callback([&chosen, options] { chosen = [options] { return replay(*options); }; });
}

}  // namespace attest
