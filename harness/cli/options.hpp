// options.hpp - options that several subcommands share, and their reading.
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "core/unit.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/report/palette.hpp"
#include "harness/subjects/choice.hpp"

namespace CLI {
class App;
}

namespace attest {

// "90s", "30m", "2h", or plain seconds. Throws Error (usage).
[[nodiscard]] std::chrono::seconds parse_time(std::string_view option, const std::string& text);

// What becomes of failures: how long each may be shrunk and probed, and where a folder of each
// goes.
struct FailureOptions {
  std::string shrink_time = "10s";
  std::string bundle;  // empty: nowhere
  bool all = false;    // every law's in full

  [[nodiscard]] std::chrono::seconds time() const {
    return parse_time("--shrink-time", shrink_time);
  }
};
void add_shrink_time_option(CLI::App& command, FailureOptions& options);
void add_bundle_option(CLI::App& command, FailureOptions& options);
// Writes a folder of each failure and prints its place. Throws Error.
void write_bundles(std::span<const Failure> failures, const FailureOptions& options,
                   std::optional<std::uint64_t> seed, const OracleMemory& oracle, std::FILE* page);

// A decimal number, or "auto" for one drawn from the system. Throws Error (usage).
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);

// A decimal number. Throws Error (usage).
[[nodiscard]] std::uint64_t parse_schedule_seed(const std::string& text);

// Every emulated unit if none is named. Throws Error (usage) listing the known names.
[[nodiscard]] std::vector<Unit> parse_units(const std::vector<std::string>& names);

inline constexpr const char* kUsualPatience = "30s";

// What says how subjects run, for the subcommands that run some.
struct SubjectOptions {
  std::vector<std::string> specs;
  bool isolate = false;
  std::string patience = kUsualPatience;
};
void add_subject_options(CLI::App& command, SubjectOptions& options);
// What a replay has to be told of them again.
[[nodiscard]] Calling calling_of(const SubjectOptions& options);
// Writes what has to be noted about them to standard error. Throws Error.
[[nodiscard]] ChosenSubjects choose_subjects(const SubjectOptions& options);

// "fwd", "bwd" or "both". Throws Error (usage).
[[nodiscard]] std::vector<Pass> parse_passes(const std::string& text);

// A problem's string, or a case's, of which the values behind it are ignored. Throws Error (usage).
[[nodiscard]] Problem parse_problem_or_case(const std::string& text);

// Where counterexamples and large case data live: ATTEST_STATE_DIR of the environment, or .attest.
[[nodiscard]] std::filesystem::path state_folder();

// From now on the first SIGINT (Ctrl-C) or SIGTERM makes the function return true; a second one
// ends the program as usual.
[[nodiscard]] std::function<bool()> watch_interrupt();

// Coloured on a terminal unless NO_COLOR is set or the terminal is dumb.
[[nodiscard]] Palette palette_of(std::FILE* stream);

}  // namespace attest
