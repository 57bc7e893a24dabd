#include "harness/cli/gate_outputs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "harness/report/github_text.hpp"
#include "harness/report/junit_report.hpp"
#include "harness/report/kept_campaign.hpp"
#include "harness/report/markdown_page.hpp"

namespace attest {
namespace {

constexpr std::size_t kLeastSummary = 4000;

[[noreturn]] void fail_to_write(const std::string& file) {
  throw Error(Blame::usage, "report file " + file + ": cannot be written");
}

// What a step has written already counts towards its limit.
void append_summary(const std::string& file, const RunDescription& run, const Campaign& campaign,
                    const Comparison* comparison) {
  std::error_code missing;
  const auto there = std::filesystem::file_size(file, missing);
  const std::size_t used = missing ? 0 : static_cast<std::size_t>(there);
  if (used + kLeastSummary > kSummaryLimit) {
    fmt::print(stderr, "attest: $GITHUB_STEP_SUMMARY is full; the page is not added\n");
    return;
  }
  std::ofstream out(file, std::ios::app);
  out << markdown_page(run, campaign, comparison, kSummaryLimit - used) << std::flush;
  if (!out) fail_to_write(file);
}

}  // namespace

void add_gate_options(CLI::App& command, GateOptions& options) {
  command.add_option("--json", options.json,
                     "write the report here too (attest.report/1); - is standard output,\n"
                     "and the page goes to standard error");
  command.add_option("--jsonl", options.jsonl,
                     "write a line of JSON here for each case as it ends (attest.case/1)");
  command.add_option("--junit", options.junit, "write JUnit XML here");
  command.add_option("--markdown", options.markdown,
                     "write a page for a pull request here, of at most 60,000 bytes");
  command.add_flag("--github", options.github,
                   "mark what is not accepted for GitHub Actions: at most 9 annotations, and the\n"
                   "page added to $GITHUB_STEP_SUMMARY, which stays under 1 MiB");
  command.add_option("--against", options.against,
                     "an earlier --json report: tell which rows, verdicts, worst ratios and,\n"
                     "where they are promised, bits have changed");
}

GateOutputs::GateOutputs(const GateOptions& options) : options_(options), json_(options.json) {
  for (const std::string* file : {&options_.junit, &options_.markdown, &options_.jsonl}) {
    if (!file->empty()) require_report_folder(*file);
  }
  if (!options_.against.empty()) earlier_ = read_kept_report(options_.against);
  if (options_.jsonl.empty()) return;
  cases_ = std::fopen(options_.jsonl.c_str(), "wbe");
  if (cases_ == nullptr) fail_to_write(options_.jsonl);
}

GateOutputs::~GateOutputs() {
  if (cases_ != nullptr) std::fclose(cases_);
}

void GateOutputs::write_case(std::string_view line) const {
  const bool written = std::fwrite(line.data(), 1, line.size(), cases_) == line.size();
  if (!written || std::fflush(cases_) != 0) fail_to_write(options_.jsonl);
}

void GateOutputs::write(const RunDescription& run, const Campaign& campaign) const {
  std::optional<Comparison> against;
  if (earlier_) {
    against = compare(*earlier_, kept(campaign));
    against->file = options_.against;
    fmt::print(page(), "{}", comparison_page(*against, campaign.names));
  }
  const Comparison* comparison = against ? &*against : nullptr;
  if (json_.wanted()) json_.write(json_report(run, campaign, comparison));
  if (!options_.junit.empty()) write_report(options_.junit, junit_report(run, campaign));
  if (!options_.markdown.empty()) {
    write_report(options_.markdown, markdown_page(run, campaign, comparison, kCommentLimit));
  }
  if (options_.github) mark_for_github(run, campaign, comparison);
}

void GateOutputs::mark_for_github(const RunDescription& run, const Campaign& campaign,
                                  const Comparison* comparison) const {
  fmt::print(page(), "{}", github_annotations(campaign, comparison));
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') {
    fmt::print(stderr, "attest: $GITHUB_STEP_SUMMARY is not set; no summary is written\n");
    return;
  }
  append_summary(summary, run, campaign, comparison);
}

}  // namespace attest
