#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/error.hpp"
#include "harness/campaign/canary_run.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress_line.hpp"
#include "harness/report/canary_table.hpp"
#include "harness/report/json_report.hpp"
#include "harness/report/junit_report.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {
namespace {

struct CanariesOptions {
  std::vector<std::string> subjects = {"canary/*"};
  std::string tier = "smoke";
  std::string seed = "1";
  FailureOptions failures;
  std::string json;
  std::string junit;
  CacheOption cache;
};

std::vector<const CatalogueEntry*> chosen_canaries(const std::vector<std::string>& specs) {
  const std::vector<const Subject*> subjects = resolve_subjects(specs);
  std::vector<const CatalogueEntry*> canaries;
  for (const CatalogueEntry& entry : catalogue()) {
    const bool named =
        std::find(subjects.begin(), subjects.end(), entry.subject.get()) != subjects.end();
    if (named && entry.is_canary()) canaries.push_back(&entry);
    if (named && !entry.is_canary() && entry.subject.get() != &control()) {
      throw Error(Blame::usage, "subject '" + entry.name + "' is no canary");
    }
  }
  return canaries;
}

int canaries(const CanariesOptions& options) {
  CanaryPlan plan;
  const Tier& tier = tier_named(options.tier);
  plan.canaries = chosen_canaries(options.subjects);
  plan.cases = tier.cases;
  plan.seed = parse_seed(options.seed);
  plan.state_folder = state_folder();
  plan.shrink_time = options.failures.time();
  plan.probes = true;
  plan.interrupted = watch_interrupt();
  const KeptAnswers kept(options.cache);
  plan.oracle = kept.oracle();
  const JsonOutput json(options.json);
  if (!options.junit.empty()) require_report_folder(options.junit);
  fmt::print(json.page(), "attest canaries --tier {} --seed {}\n", tier.name, plan.seed);
  if (plan.canaries.empty()) {
    fmt::print(json.page(),
               "nothing selected: canary/none is the control and runs beside the others\n");
    return 5;
  }
  CanaryRun run;
  {
    ProgressLine line("caught");
    plan.on_progress = [&](const Progress& progress) { line.show(progress); };
    run = run_canaries(plan);
  }
  const int status = exit_status(run);
  fmt::print(json.page(), "{}", canary_report(run, palette_of(json.page())));
  const RunDescription described{"canaries", options.tier, plan.seed, status};
  if (json.wanted()) json.write(json_report(described, run));
  if (!options.junit.empty()) write_report(options.junit, junit_report(described, run));
  return status;
}

}  // namespace

void add_canaries_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "canaries", "check the harness itself: every wrong kernel rejected, the control accepted");
  auto options = std::make_shared<CanariesOptions>();
  command->add_option("--subject", options->subjects, "canary/NAME or a glob; repeatable [all]");
  command->add_option("--tier", options->tier, "smoke, standard, full or soak")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the cases; auto draws one and prints it")
      ->capture_default_str();
  add_shrink_time_option(*command, options->failures);
  command->add_option("--json", options->json,
                      "write the report here too (attest.report/1); - is standard output,\n"
                      "and the page goes to standard error");
  command->add_option("--junit", options->junit, "write JUnit XML here");
  add_cache_option(*command, options->cache);
  command->footer(
      "Example: attest canaries --subject 'canary/m23*'\n"
      "Exit status: 0 when each canary is rejected by the law named for it, on a shrunk case\n"
      "that the control passes; else 1; 2 usage, 4 our own fault, 5 nothing selected,\n"
      "7 interrupted before all were.");
  command->callback([&chosen, options] { chosen = [options] { return canaries(*options); }; });
}

}  // namespace attest
