#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/error.hpp"
#include "harness/campaign/traffic_count.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/options.hpp"
#include "harness/report/traffic_json.hpp"
#include "harness/report/traffic_table.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {
namespace {

struct TrafficOptions {
  std::string problem;
  bool sweep = false;
  std::vector<std::string> subjects;
  std::string json;
};

constexpr int kDiffer = 4;  // a kernel or a formula is not what we say it is
constexpr int kNothing = 5;

int traffic(const TrafficOptions& options) {
  if (options.sweep == !options.problem.empty()) {
    throw Error(Blame::usage, "traffic takes a problem or --sweep");
  }
  const std::vector<const Subject*> subjects = resolve_subjects(options.subjects);
  const JsonOutput json(options.json);
  std::vector<SweptTraffic> counted;
  if (options.sweep) {
    for (const auto& [about, problem] : traffic_sweep()) {
      counted.push_back({about, count_traffic(problem, subjects)});
    }
    fmt::print(json.page(), "{}", traffic_page(counted));
  } else {
    counted.push_back({"", count_traffic(parse_problem_or_case(options.problem), subjects)});
    fmt::print(json.page(), "{}", traffic_report(counted.front().traffic));
  }
  std::vector<ProblemTraffic> problems;
  for (SweptTraffic& each : counted) problems.push_back(std::move(each.traffic));
  if (json.wanted()) json.write(traffic_json(problems));
  bool agree = true, any = false;
  for (const ProblemTraffic& each : problems) {
    agree = agree && each.agrees();
    any = any || !each.rows.empty();
  }
  return !agree ? kDiffer : any ? 0 : kNothing;
}

}  // namespace

void add_traffic_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "traffic", "bytes that kernels move, as the emulator counts them, beside closed formulas");
  auto options = std::make_shared<TrafficOptions>();
  command->add_option("problem", options->problem,
                      "a case string, or only its problem: up to its pass");
  command->add_flag("--sweep", options->sweep, "a page about many problems: docs/traffic-sweep.md");
  command->add_option("--subject", options->subjects,
                      "a name or a glob of `attest list subjects`; repeatable [bundled]");
  command->add_option("--json", options->json,
                      "write the counts here too (attest.traffic/1); - is standard output,\n"
                      "and the page goes to standard error");
  command->footer(
      "Example: attest traffic --subject tiled "
      "'attest1:b=1;hq=2;hk=1;nq=64;nk=64;dqk=64;dv=64;in=bf16;\n"
      "out=bf16;scale=0x1p-3;left=inf;right=0;align=br;pass=fwd'\n"
      "Exit status: 0 counts and formulas agree, 2 usage, 4 they differ or a subject has none,\n"
      "5 no subject takes the problem and counts.");
  command->callback([&chosen, options] { chosen = [options] { return traffic(*options); }; });
}

}  // namespace attest
