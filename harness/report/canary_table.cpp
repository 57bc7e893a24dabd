#include "harness/report/canary_table.hpp"

#include <fmt/format.h>

#include "harness/report/failing_report.hpp"
#include "harness/report/table.hpp"

namespace attest {
namespace {

std::string laws_text(const CanaryVerdict& canary) {
  std::string text(canary.canary->law);
  for (const std::string& law : canary.by) {
    if (law != canary.canary->law) text += " +" + law;
  }
  return text;
}

}  // namespace

std::string canary_verdict(const CanaryVerdict& canary) {
  if (canary.caught()) return "caught";
  if (canary.cut_short) return "not caught before the interrupt";
  if (!canary.rejected) return "MISSED: its law never rejected it";
  if (!canary.small) return "MISSED: the shrunk case has too many keys";
  return "MISSED: the control fails on the shrunk case too";
}

std::string canary_report(const CanaryRun& run, const Palette& palette) {
  std::vector<TableRow> rows = {{"canary", "verdict", "law", "cases", "nq", "nk", "limit"}};
  for (const CanaryVerdict& canary : run.canaries) {
    const Problem& smallest = canary.failure.shrunk.smallest.problem;
    rows.push_back({canary.canary->name, canary_verdict(canary), laws_text(canary),
                    std::to_string(canary.cases),
                    canary.rejected ? std::to_string(smallest.n_q) : "-",
                    canary.rejected ? std::to_string(smallest.n_k) : "-",
                    std::to_string(canary.canary->most_keys)});
  }
  std::string text = align_table(rows) + "\n";
  for (const CanaryVerdict& canary : run.canaries) {
    if (canary.rejected) text += failing_report(canary.failure, palette) + "\n";
  }
  text += fmt::format("shrunk cases: median {} keys\n", run.median_keys());
  text += fmt::format("controls: accepted in {} of {} runs on {} cases\n",
                      run.control_runs - run.control_refused, run.control_runs, run.cases);
  if (run.control_failure) text += failing_report(*run.control_failure, palette) + "\n";
  const std::string word = run.passed()        ? palette.green("ALL CAUGHT")
                           : run.interrupted() ? palette.yellow("INTERRUPTED")
                                               : palette.red("NOT CAUGHT");
  return text + fmt::format("{}  {} canaries, {} cases\n", word, run.canaries.size(), run.cases);
}

}  // namespace attest
