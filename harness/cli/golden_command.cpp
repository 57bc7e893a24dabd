#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/cli/commands.hpp"

namespace attest {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

int verify(const std::string& folder) {
  const std::vector<NamedGolden> goldens = load_goldens(folder);
  for (const NamedGolden& golden : goldens) verify_flags(golden);
  fmt::print("{} goldens: digests right, answers confirmed, flags kept\n", goldens.size());
  return 0;
}

int show(const std::string& folder, const std::string& name) {
  const std::vector<NamedGolden> goldens = load_goldens(folder);
  std::vector<std::string_view> known;
  bool found = false;
  for (const NamedGolden& golden : goldens) {
    known.push_back(golden.name);
    if (!name.empty() && golden.name != name) continue;
    found = true;
    fmt::print("{}\n  hunts   {}\n  flags   {}\n  made    {}\n  case    {}\n", golden.name,
               golden.golden.hunts, joined(golden.golden.flags), golden.golden.provenance,
               golden.golden.case_text);
  }
  if (!found) throw Error(Blame::usage, unknown_name("golden", name, known));
  return 0;
}

int make(const std::string& folder) {
  make_goldens(folder);
  fmt::print("goldens and MANIFEST written to {}\n", folder);
  return 0;
}

}  // namespace

void add_golden_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("golden", "stored cases with proved answers");
  command->require_subcommand(1);
  command->footer("Example: attest golden verify");
  auto folder = std::make_shared<std::string>(golden_folder().string());
  auto name = std::make_shared<std::string>();
  const auto add = [&](const char* word, const char* about) {
    CLI::App* sub = command->add_subcommand(word, about);
    sub->add_option("--folder", *folder, "where the files are [$ATTEST_GOLDEN_DIR or built in]");
    return sub;
  };
  add("verify",
      "check digests, confirm every answer by the oracle, and reject every flagged canary")
      ->callback([&chosen, folder] { chosen = [folder] { return verify(*folder); }; });
  CLI::App* shown = add("show", "print what a golden holds");
  shown->add_option("name", *name, "one golden [all]");
  shown->callback(
      [&chosen, folder, name] { chosen = [folder, name] { return show(*folder, *name); }; });
  add("make", "make every golden anew; the same bytes each time")->callback([&chosen, folder] {
    chosen = [folder] { return make(*folder); };
  });
}

}  // namespace attest
