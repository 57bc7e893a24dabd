#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/error.hpp"
#include "fixtures/sha256.hpp"
#include "harness/bundle/bundle.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/campaign/journal.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/gate_outputs.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress_line.hpp"
#include "harness/report/run_table.hpp"

namespace attest {
namespace {

struct CheckOptions {
  SubjectOptions subjects;
  std::string tier = "smoke";
  std::optional<Index> cases;
  std::string budget;
  std::string seed = "1";
  std::string pass = "fwd";
  std::vector<std::string> units;
  std::string filter;
  GateOptions outputs;
  std::string resume;
  FailureOptions failures;
  CacheOption cache;
};

// A campaign that goes on keeps the seed that its beginning drew.
std::uint64_t seed_of(const CheckOptions& options) {
  if (options.seed == "auto" && !options.resume.empty()) {
    if (const auto begun = seed_of_journal(options.resume)) return *begun;
  }
  return parse_seed(options.seed);
}

// How subjects run, and of what the program knows nothing else: other people's libraries.
Conditions running_conditions(const SubjectOptions& options, const CampaignPlan& plan) {
  Conditions conditions = {{"isolate", options.isolate ? "yes" : "no"},
                           {"patience", options.patience}};
  bool in_workers = options.isolate;
  for (const Subject* subject : plan.subjects) {
    if (!subject->name().starts_with(kPluginScheme)) continue;
    in_workers = true;
    const std::string place = subject->name().substr(kPluginScheme.size());
    const std::string library = place.substr(0, place.rfind('#'));
    conditions.push_back({"library " + library, sha256_of_file(library)});
  }
  if (in_workers) conditions.push_back({"worker", sha256_of_file(worker_program_path())});
  return conditions;
}

CampaignPlan plan_of(const CheckOptions& options, const ChosenSubjects& chosen) {
  CampaignPlan plan;
  plan.tier = tier_named(options.tier);
  plan.cases = options.cases;
  plan.passes = parse_passes(options.pass);
  plan.seed = seed_of(options);
  plan.subjects = chosen.subjects;
  if (options.subjects.specs.empty()) plan.variant_turns = plan.tier.variant_turns;
  plan.units = parse_units(options.units);
  plan.filter = Filter(options.filter);
  // Who asks for certain cases or laws wants all of them.
  if (options.subjects.specs.empty() && plan.filter.empty())
    plan.rerun_turns = plan.tier.rerun_turns;
  if (!options.budget.empty()) plan.budget = parse_time("--budget", options.budget);
  plan.golden_folder = golden_folder();
  plan.state_folder = state_folder();
  plan.shrink_time = options.failures.time();
  plan.all_failures = options.failures.all;
  plan.calling = calling_of(options.subjects);
  if (!options.failures.bundle.empty()) require_bundle_folder(options.failures.bundle);
  plan.known_list = known_counterexamples();
  plan.journal_folder = options.resume;
  if (!options.resume.empty()) plan.conditions = running_conditions(options.subjects, plan);
  return plan;
}

void print_plan(std::FILE* page, const CheckOptions& options, const CampaignPlan& plan) {
  fmt::print(page, "attest check --tier {}{} --pass {} --seed {}\n", plan.tier.name,
             plan.cases ? fmt::format(" --cases {}", *plan.cases) : "", options.pass, plan.seed);
  if (plan.variant_turns > 1) {
    fmt::print(page, "each variant/... takes one round of families of {}, in turn\n",
               plan.variant_turns);
  }
  if (plan.rerun_turns > 1) {
    fmt::print(page, "each law that reruns the subject takes one case of {}, in turn\n",
               plan.rerun_turns);
  }
}

int check(const CheckOptions& options) {
  const ChosenSubjects chosen = choose_subjects(options.subjects);
  CampaignPlan plan = plan_of(options, chosen);
  plan.interrupted = watch_interrupt();
  const KeptAnswers kept_answers(options.cache);
  plan.oracle = kept_answers.oracle();
  const GateOutputs outputs(options.outputs);
  if (outputs.streams_cases()) {
    plan.on_case = [&](std::string_view line) { outputs.write_case(line); };
  }
  print_plan(outputs.page(), options, plan);
  Campaign campaign;
  {
    ProgressLine line("rejected");
    plan.on_progress = [&](const Progress& progress) { line.show(progress); };
    campaign = run_campaign(plan);
  }
  const int status = exit_status(campaign);
  if (campaign.resumed > 0) {
    fmt::print(outputs.page(), "{} of the cases were finished before, in {}\n", campaign.resumed,
               options.resume);
  }
  fmt::print(outputs.page(), "{}", campaign_report(campaign, palette_of(outputs.page())));
  outputs.write({"check", options.tier, plan.seed, status}, campaign);
  write_bundles(campaign.failures, options.failures, plan.seed, plan.oracle, outputs.page());
  return status;
}

}  // namespace

void add_check_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "check", "judge subjects: goldens, then known counterexamples, then fresh cases");
  auto options = std::make_shared<CheckOptions>();
  add_subject_options(*command, options->subjects);
  command->add_option("--tier", options->tier, "smoke, standard, full or soak")
      ->capture_default_str();
  command
      ->add_option("--cases", options->cases,
                   "fresh cases of each pass, in place of the tier's number; with --filter, of\n"
                   "those that it lets through, as far as 200000 draws hold so many; without\n"
                   "--cases the tier's number counts before the filter")
      ->check(CLI::Range(Index{0}, Index{1} << 40));
  command->add_option("--budget", options->budget,
                      "start no case after this time: 90s, 30m, 2h. The soak tier goes on until\n"
                      "then. With --resume it is the time of all runs together, so a larger one\n"
                      "goes on where a smaller one ended");
  command->add_option("--seed", options->seed, "of the fresh cases; auto draws one and prints it")
      ->capture_default_str();
  command
      ->add_option("--pass", options->pass,
                   "fwd, bwd (O and LSE, then the gradients that start from them) or both")
      ->capture_default_str();
  command->add_option("--unit", options->units,
                      "matrix unit to run on; repeatable [all emulated, by rotation]");
  command->add_option("--filter", options->filter, "like 'family=F7,F21;nk>=64;law=accuracy'");
  add_shrink_time_option(*command, options->failures);
  command->add_flag("--all", options->failures.all,
                    "tell the failure of every law in full, each shrunk and probed for itself;\n"
                    "else the most direct law of a subject, and a line for each of the others");
  add_bundle_option(*command, options->failures);
  add_gate_options(*command, options->outputs);
  command->add_option("--resume", options->resume,
                      "a folder to keep finished cases in: the same command goes on where an\n"
                      "earlier one was ended, even by kill -9, to the same report");
  add_cache_option(*command, options->cache);
  command->footer(
      "Examples: attest check --subject plugin:./libmine.so --pass both --bundle failures\n"
      "          attest check --subject tiled --unit h100 --filter 'family=F7;law=accuracy'\n"
      "Exit status: 0 all accepted, 1 something rejected, 2 usage, 3 a subject crashed or broke\n"
      "rules, 4 our own fault, 5 nothing selected, 6 a subject did not load, 7 undecided.\n"
      "New failures join counterexamples.txt in .attest (or $ATTEST_STATE_DIR). The list holds\n"
      "cases only: where a failure needs a schedule seed, the report's replay command has it.");
  command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

}  // namespace attest
