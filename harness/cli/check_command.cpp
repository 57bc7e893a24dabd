#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/error.hpp"
#include "harness/bundle/bundle.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress_line.hpp"
#include "harness/report/json_report.hpp"
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
  FailureOptions failures;
  std::string json;
  CacheOption cache;
};

int check(const CheckOptions& options) {
  CampaignPlan plan;
  plan.tier = tier_named(options.tier);
  plan.cases = options.cases;
  plan.passes = parse_passes(options.pass);
  plan.seed = parse_seed(options.seed);
  const ChosenSubjects chosen = choose_subjects(options.subjects);
  plan.subjects = chosen.subjects;
  if (options.subjects.specs.empty()) plan.variant_turns = plan.tier.variant_turns;
  plan.units = parse_units(options.units);
  plan.filter = Filter(options.filter);
  // Who asks for certain cases or laws wants all of them.
  if (options.subjects.specs.empty() && plan.filter.empty())
    plan.rerun_turns = plan.tier.rerun_turns;
  if (!options.budget.empty()) plan.budget = parse_time(options.budget);
  plan.golden_folder = golden_folder();
  plan.state_folder = state_folder();
  plan.shrink_time = options.failures.time();
  if (!options.failures.bundle.empty()) require_bundle_folder(options.failures.bundle);
  plan.known_list = known_counterexamples();
  plan.interrupted = watch_interrupt();
  const KeptAnswers kept(options.cache);
  plan.oracle = kept.oracle();
  const JsonOutput json(options.json);

  fmt::print(json.page(), "attest check --tier {}{} --pass {} --seed {}\n", plan.tier.name,
             plan.cases ? fmt::format(" --cases {}", *plan.cases) : "", options.pass, plan.seed);
  if (plan.variant_turns > 1) {
    fmt::print(json.page(), "each variant/... takes one round of families of {}, in turn\n",
               plan.variant_turns);
  }
  if (plan.rerun_turns > 1) {
    fmt::print(json.page(), "each law that reruns the subject takes one case of {}, in turn\n",
               plan.rerun_turns);
  }
  Campaign campaign;
  {
    ProgressLine line("rejected");
    plan.on_progress = [&](const Progress& progress) { line.show(progress); };
    campaign = run_campaign(plan);
  }
  const int status = exit_status(campaign);
  fmt::print(json.page(), "{}", campaign_report(campaign, palette_of(json.page())));
  if (json.wanted()) {
    json.write(json_report({"check", options.tier, plan.seed, status}, campaign));
  }
  write_bundles(campaign.failures, options.failures, plan.seed, plan.oracle, json.page());
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
                   "fresh cases of each pass, in place of the tier's number")
      ->check(CLI::Range(Index{0}, Index{1} << 40));
  command->add_option("--budget", options->budget, "start no case after this time: 90s, 30m, 2h");
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
  add_bundle_option(*command, options->failures);
  command->add_option("--json", options->json,
                      "write the report here too (attest.report/1); - is standard output,\n"
                      "and the page goes to standard error");
  add_cache_option(*command, options->cache);
  command->footer(
      "Exit status: 0 all accepted, 1 something rejected, 2 usage, 3 a subject crashed or broke\n"
      "rules, 4 our own fault, 5 nothing selected, 6 a subject did not load, 7 undecided.\n"
      "New failures join counterexamples.txt in .attest (or $ATTEST_STATE_DIR). The list holds\n"
      "cases only: where a failure needs a schedule seed, the report's replay command has it.");
  command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

}  // namespace attest
