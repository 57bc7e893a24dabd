#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "core/error.hpp"
#include "harness/bundle/environment.hpp"
#include "harness/cli/commands.hpp"

namespace attest {
namespace {

constexpr int kUsage = 2;
constexpr int kOurs = 4;

int status_of(Blame blame) {
  switch (blame) {
    case Blame::usage: return kUsage;
    case Blame::subject_load: return 6;
    case Blame::ours: return kOurs;
  }
  return kOurs;
}

// "A subcommand is required" alone does not help who mistyped one.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> strange = app.remaining(true);
  const bool names_it = strange.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string what = names_it ? "" : "'" + strange.front() + "' means nothing here: ";
  return fmt::format("{}{} (see attest --help)", what, error.what());
}

int fail(int status, const char* message) {
  std::fflush(stdout);
  fmt::print(stderr, "attest: {}\n", message);
  return status;
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  try {
    CLI::App app(
        "attest judges attention kernels against proved enclosures of the exact answer.\n"
        "A subject is accepted when its error is within what its declared arithmetic explains.");
    app.require_subcommand(1);
    app.set_help_all_flag("--help-all", "help for every subcommand");
    app.set_version_flag("--version", "attest " + std::string(attest_version()));
    Chosen chosen;
    add_check_command(app, chosen);
    add_canaries_command(app, chosen);
    add_replay_command(app, chosen);
    add_judge_command(app, chosen);
    add_oracle_command(app, chosen);
    add_golden_command(app, chosen);
    add_plan_command(app, chosen);
    add_study_command(app, chosen);
    add_traffic_command(app, chosen);
    add_list_command(app, chosen);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      const bool asked = error.get_exit_code() == 0;  // --help, --version
      if (asked) return app.exit(error);
      return fail(kUsage, complaint(app, error).c_str());
    }
    const int status = chosen();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      return fail(kOurs, "standard output cannot be written");
    }
    return status;
  } catch (const Error& error) {
    return fail(status_of(error.blame()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(kOurs, "out of memory");
  } catch (const std::exception& error) {
    return fail(kOurs, error.what());
  }
}

}  // namespace attest
