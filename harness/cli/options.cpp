#include "harness/cli/options.hpp"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <random>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/campaign/check_case.hpp"

namespace attest {
namespace {

volatile std::sig_atomic_t interrupts = 0;

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::chrono::seconds parse_time(const std::string& text) {
  constexpr std::int64_t kLongest = 365 * 24 * 3600;
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const std::int64_t seconds = unit == "h" ? 3600 : unit == "m" ? 60 : 1;
  const bool known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (error != std::errc{} || !known || count < 1 || count > kLongest / seconds) {
    throw Error(Blame::usage, "--budget '" + text + "' is not a time like 90s, 30m or 2h");
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

std::filesystem::path state_folder() {
  const char* chosen = std::getenv("ATTEST_STATE_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : ".attest";
}

std::function<bool()> watch_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupts = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  return [] { return interrupts != 0; };
}

Palette palette_of_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return {!refused && isatty(STDOUT_FILENO) == 1};
}

}  // namespace attest
