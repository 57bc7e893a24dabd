#include "harness/cli/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <random>

#include "core/case.hpp"
#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/bundle/bundle.hpp"
#include "harness/campaign/check_case.hpp"

namespace attest {
namespace {

constexpr int kInterrupts[] = {SIGINT, SIGTERM};

// When the first signal came; 0: none has come.
std::atomic<std::int64_t> interrupted_at = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t milliseconds_since_start() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// The first signal asks for a report of what there is; a later one ends the program. `timeout`
// sends each signal twice, to the program and to its group: what comes within a second is one.
void take_interrupt(int signal) {
  constexpr std::int64_t kSameSignal = 1000;
  const std::int64_t now = milliseconds_since_start();
  std::int64_t none = 0;
  if (interrupted_at.compare_exchange_strong(none, now)) return;
  if (now - interrupted_at < kSameSignal) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // arrives when this one is through
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::chrono::seconds parse_time(std::string_view option, const std::string& text) {
  constexpr std::int64_t kLongest = 365 * 24 * 3600;
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const std::int64_t seconds = unit == "h" ? 3600 : unit == "m" ? 60 : 1;
  const bool known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (error != std::errc{} || !known || count < 1 || count > kLongest / seconds) {
    throw Error(Blame::usage,
                std::string(option) + " '" + text + "' is not a time like 90s, 30m or 2h");
  }
  return std::chrono::seconds(count * seconds);
}

std::uint64_t parse_seed(const std::string& text) {
  if (text == "auto") {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }
  if (const auto seed = whole_number(text)) return *seed;
  throw Error(Blame::usage, "--seed '" + text + "' is neither a number nor 'auto'");
}

std::uint64_t parse_schedule_seed(const std::string& text) {
  if (const auto seed = whole_number(text)) return *seed;
  throw Error(Blame::usage, "--schedule-seed '" + text + "' is no number of 64 bits");
}

std::vector<Unit> parse_units(const std::vector<std::string>& names) {
  if (names.empty()) return emulated_units();
  std::vector<Unit> units;
  for (const std::string& name : names) {
    const auto unit = unit_named(name);
    if (!unit) {
      std::vector<std::string_view> known;
      for (const Unit one : kUnits) known.push_back(name_of(one));
      throw Error(Blame::usage, unknown_name("unit", name, known));
    }
    units.push_back(*unit);
  }
  return units;
}

std::vector<Pass> parse_passes(const std::string& text) {
  if (text == "fwd") return {Pass::fwd};
  if (text == "bwd") return {Pass::bwd};
  if (text == "both") return {Pass::fwd, Pass::bwd};
  constexpr std::string_view known[] = {"fwd", "bwd", "both"};
  throw Error(Blame::usage, unknown_name("pass", text, known));
}

Problem parse_problem_or_case(const std::string& text) {
  const auto holds = [&](const char* key) { return text.find(key) != std::string::npos; };
  return holds(";family=") || holds(";data=") ? parse_case(text).problem : parse_problem(text);
}

void add_shrink_time_option(CLI::App& command, FailureOptions& options) {
  command
      .add_option("--shrink-time", options.shrink_time,
                  "how long each failure may be shrunk, and probed for what it still needs")
      ->capture_default_str();
}

void add_bundle_option(CLI::App& command, FailureOptions& options) {
  command.add_option("--bundle", options.bundle,
                     "write each shrunk failure into a folder of its own in this one, which must\n"
                     "be new or empty: case, values, enclosures, budgets, a program that fails");
}

void write_bundles(std::span<const Failure> failures, const FailureOptions& options,
                   std::optional<std::uint64_t> seed, const OracleMemory& oracle, std::FILE* page) {
  if (options.bundle.empty()) return;
  if (failures.empty()) fmt::print(page, "no bundle: nothing was rejected\n");
  for (const Failure& failure : failures) {
    const auto place = write_bundle(failure, {options.bundle, state_folder(), seed, oracle});
    fmt::print(page, "bundle  {}\n", place.string());
  }
}

void add_subject_options(CLI::App& command, SubjectOptions& options) {
  command.add_option("--subject", options.specs,
                     "a name or a glob of `attest list subjects`, or plugin:./libmy.so#name;\n"
                     "repeatable [bundled]");
  command.add_flag("--isolate", options.isolate,
                   "run bundled subjects as plug-ins run: in processes of their own, each case in\n"
                   "several calls between guard pages that have to agree");
  command
      .add_option("--patience", options.patience,
                  "how long one call may take in such a process: 90s, 30m, 2h")
      ->capture_default_str();
}

Calling calling_of(const SubjectOptions& options) {
  return {options.isolate, options.patience == kUsualPatience ? "" : options.patience};
}

ChosenSubjects choose_subjects(const SubjectOptions& options) {
  ChoiceSettings settings{options.isolate, {}};
  settings.plugins.patience = parse_time("--patience", options.patience);
  ChosenSubjects chosen = choose_subjects(options.specs, settings);
  for (const std::string& note : chosen.notes) fmt::print(stderr, "attest: {}\n", note);
  return chosen;
}

std::filesystem::path state_folder() {
  const char* chosen = std::getenv("ATTEST_STATE_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : ".attest";
}

std::function<bool()> watch_interrupt() {
  struct sigaction action {};
  action.sa_handler = take_interrupt;
  for (const int signal : kInterrupts) sigaction(signal, &action, nullptr);
  return [] { return interrupted_at != 0; };
}

Palette palette_of(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return {!refused && !dumb && isatty(fileno(stream)) == 1};
}

}  // namespace attest
