#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/report/json_report.hpp"
#include "harness/studies/study.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

struct StudyOptions {
  std::string name;
  bool list = false;
  std::string folder;
};

int list() {
  for (const Study& study : studies()) fmt::print("{:<20} {}\n", study.name, study.question);
  return 0;
}

int study(const StudyOptions& options) {
  if (options.list == !options.name.empty()) {
    throw Error(Blame::usage, "study takes a name or --list");
  }
  if (options.list) return list();
  const Study& chosen = study_named(options.name);
  const fs::path folder =
      options.folder.empty() ? fs::path("studies") / chosen.name : fs::path(options.folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(Blame::usage, "cannot make folder " + folder.string() + ": " + error.message());
  }
  for (const StudyFile& file : chosen.make()) {
    write_report(folder / file.name, file.text);
    fmt::print("{}\n", (folder / file.name).string());
  }
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("study", "answer a question about arithmetic anew: page, data and plot");
  auto options = std::make_shared<StudyOptions>();
  command->add_option("name", options->name, "which study");
  command->add_flag("--list", options->list, "name them all");
  command->add_option("--folder", options->folder, "where its files go [studies/NAME]");
  command->footer("Example: attest study accumulator-width --folder /tmp/study");
  command->callback([&chosen, options] { chosen = [options] { return study(*options); }; });
}

}  // namespace attest
