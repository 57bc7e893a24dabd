#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/bundle/bundle.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/check_case.hpp"
#include "harness/campaign/explaining.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress_line.hpp"
#include "harness/report/failing_report.hpp"

namespace attest {
namespace {

struct ReplayOptions {
  std::string case_text;
  SubjectOptions subjects;
  std::vector<std::string> units;
  std::optional<std::string> schedule_seed;
  std::optional<std::string> configuration;
  FailureOptions failures;
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

// A case string, or a bundle's folder, which also says on what to run where the options do not.
Case case_of(ReplayOptions& options) {
  std::error_code too_long;  // for a path: no folder
  if (!std::filesystem::is_directory(options.case_text, too_long)) {
    if (options.case_text.starts_with("attest")) return parse_case(options.case_text);
    throw Error(Blame::usage, "'" + options.case_text.substr(0, 80) +
                                  "' is neither a case string, which starts with 'attest1:', nor "
                                  "a bundle's folder");
  }
  BundledRun bundled = read_bundle(options.case_text);
  if (options.subjects.specs.empty()) options.subjects.specs = {bundled.subject};
  if (options.units.empty()) options.units = {bundled.unit};
  if (!options.schedule_seed) options.schedule_seed = bundled.schedule_seed;
  if (!options.configuration) options.configuration = bundled.configuration;
  if (bundled.calling.isolated) options.subjects.isolate = true;
  const bool usual = options.subjects.patience == kUsualPatience;
  if (usual && !bundled.calling.patience.empty()) {
    options.subjects.patience = bundled.calling.patience;
  }
  return std::move(bundled.c);
}

// A name that no subject offers would be passed over in silence.
void require_offered(const Problem& problem, std::span<const Subject* const> subjects,
                     const RunChoice& choice) {
  if (choice.configuration.empty()) return;
  std::vector<std::string> offered;
  for (const Subject* subject : subjects) {
    std::vector<Unit> units = choice.units;
    if (subject->own_unit()) units.push_back(*subject->own_unit());
    for (const Unit unit : units) {
      if (subject->unsupported(problem, unit)) continue;
      const std::vector<std::string> more = subject->configurations(problem, unit);
      offered.insert(offered.end(), more.begin(), more.end());
    }
  }
  if (std::ranges::find(offered, choice.configuration) != offered.end()) return;
  std::ranges::sort(offered);
  const auto repeated = std::ranges::unique(offered);
  offered.erase(repeated.begin(), repeated.end());
  const std::vector<std::string_view> known(offered.begin(), offered.end());
  throw Error(Blame::usage, unknown_name("configuration", choice.configuration, known));
}

// Of each law that rejects, and of a run that failed, shrunk.
std::vector<Failure> failures_of(const CaseResult& result, const Inputs& inputs,
                                 const ReplayOptions& options, const OracleMemory& oracle) {
  std::vector<Rejection> rejections;
  const Case c{result.c.problem, inputs};  // values of a file shrink, too
  for (const SubjectResult& run : result.subjects) {
    const auto add = [&](std::string_view law, const std::string& configuration = {}) {
      RunSettings settings{run.unit, run.schedule_seed, cores()};
      settings.configuration = configuration;
      rejections.push_back(
          {run.subject, settings, std::string(law), c, [&inputs] { return inputs; }});
    };
    for (const LawResult& law : run.laws) {
      if (law.outcome.verdict == Verdict::reject) add(law.law->name, law.outcome.configuration);
    }
    if (run.laws.empty() && run.trouble.kind != RunOutcome::Kind::ran) add(kRunItself);
  }
  const auto time = [&options] { return options.failures.time(); };
  return explain(rejections,
                 {state_folder(), time, false, calling_of(options.subjects), oracle, {}});
}

int replay(ReplayOptions options) {
  const Case c = case_of(options);
  if (!options.failures.bundle.empty()) require_bundle_folder(options.failures.bundle);
  (void)options.failures.time();  // refused before the run
  const ChosenSubjects chosen = choose_subjects(options.subjects);
  const Inputs inputs = inputs_of(c, state_folder());
  const KeptAnswers kept(options.cache);
  RunChoice choice{parse_units(options.units), 0,
                   parse_schedule_seed(options.schedule_seed.value_or("0")), cores()};
  choice.oracle = kept.oracle();
  choice.configuration = options.configuration.value_or("");
  require_offered(c.problem, chosen.subjects, choice);
  std::optional<StageLine> line;
  line.emplace();
  choice.on_stage = [&](std::string_view stage) { line->enter(stage); };
  const CaseResult result = check_case(c, inputs, chosen.subjects, every_law(), choice);
  line.reset();
  Campaign campaign;
  campaign.tally.add(result);
  const Palette palette = palette_of(stdout);
  for (const SubjectResult& run : result.subjects) {
    print_result(run, palette);
    if (is_misconduct(run.trouble.kind)) ++campaign.troubled_cases;
    if (verdict_of(run) == Verdict::reject) ++campaign.rejected_cases;
    if (verdict_of(run) == Verdict::undecided) ++campaign.undecided_cases;
  }
  if (!options.failures.bundle.empty()) {
    write_bundles(failures_of(result, inputs, options, choice.oracle), options.failures,
                  std::nullopt, choice.oracle, stdout);
  }
  return exit_status(campaign);
}

}  // namespace

void add_replay_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("replay", "judge one case again, every law, with its worst elements");
  auto options = std::make_shared<ReplayOptions>();
  command
      ->add_option("case", options->case_text,
                   "a case string, as failing reports print it, or a bundle's folder")
      ->required();
  add_subject_options(*command, options->subjects);
  command->add_option("--unit", options->units, "matrix unit; repeatable [the first supported]");
  command->add_option(
      "--schedule-seed", options->schedule_seed,
      "order of whatever the emulated machine may reorder, as reports print it [0]");
  command->add_option("--configuration", options->configuration,
                      "of the law `configurations`, the one to try, as reports print it [all]");
  add_shrink_time_option(*command, options->failures);
  add_bundle_option(*command, options->failures);
  add_cache_option(*command, options->cache);
  command->footer(
      "Examples: attest replay 'attest1:b=1;hq=2;hk=1;nq=64;nk=64;dqk=64;dv=64;in=bf16;out=bf16;\n"
      "scale=0x1p-3;left=inf;right=0;align=br;pass=bwd;family=F0;seed=1' --subject tiled --unit "
      "h100\n"
      "          attest replay bundles/mine.accuracy.bf16.h100\n"
      "Exit status: as of check.");
  command->callback([&chosen, options] { chosen = [options] { return replay(*options); }; });
}

}  // namespace attest
