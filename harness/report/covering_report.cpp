#include "harness/report/covering_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/campaign/covering_count.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShown = 3;

// Of fours there are hundreds of thousands.
int listed(const Campaign& campaign) { return std::min(campaign.strength, 3); }

std::string_view word_for(Pass pass) { return pass == Pass::fwd ? "fwd" : "bwd"; }

std::string_view word_for(int strength) {
  return strength == 2 ? "pairs" : strength == 3 ? "triples" : "fours";
}

// "99.97 %", and 100 only where nothing is missing.
std::string percent(Index part, Index whole) {
  if (part == whole) return "100 %";
  const double exact = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.2f} %", std::min(exact, 99.99));
}

std::string first_of(const std::vector<std::string>& never) {
  std::string text;
  for (std::size_t n = 0; n < std::min(kShown, never.size()); ++n) {
    text += (n == 0 ? "" : "; ") + never[n];
  }
  if (never.size() > kShown) text += fmt::format("; and {} more", never.size() - kShown);
  return text;
}

std::string run_line(const RunPairs& pairs) {
  std::string text;
  std::string never;
  for (const auto& [run, count] : pairs.counts()) {
    text += fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", run, count.met, count.pairs);
    if (!count.never.empty())
      never += fmt::format("  never met {}: {}\n", run, first_of(count.never));
  }
  if (text.empty()) return "";
  return fmt::format("  beside what a run adds: {}\n{}", text, never);
}

Json runs_json(const RunPairs& pairs) {
  Json runs = Json::object();
  for (const auto& [run, count] : pairs.counts()) {
    runs[run] = {{"features", count.pairs}, {"met", count.met}, {"never", count.never}};
  }
  return runs;
}

}  // namespace

std::string covering_lines(const Campaign& campaign) {
  std::string text;
  const auto counts = covering_counts(campaign.tally, listed(campaign));
  for (const auto& [pass, pairs] : campaign.tally.run_pairs) {
    std::string met;
    std::string never;
    for (const CoveringCount& count : counts) {
      if (count.pass != pass) continue;
      met += fmt::format("{}{} of {} {}", met.empty() ? "" : ", ", percent(count.ran, count.cells),
                         count.cells, word_for(count.strength));
      if (count.strength == listed(campaign) && !count.never.empty()) {
        never = "  never met: " + first_of(count.never) + "\n";
      }
    }
    text +=
        fmt::format("features that met, {}: {}\n{}{}", word_for(pass), met, never, run_line(pairs));
  }
  return text;
}

Json covering_json(const Campaign& campaign) {
  Json json = {{"strength", campaign.strength}, {"passes", Json::object()}};
  for (const CoveringCount& count : covering_counts(campaign.tally, listed(campaign))) {
    Json& pass = json["passes"][std::string(word_for(count.pass))];
    Json row = {{"cells", count.cells},
                {"excluded", count.excluded},
                {"drawn", count.drawn},
                {"ran", count.ran}};
    if (count.strength <= listed(campaign)) row["never"] = count.never;
    pass[std::string(word_for(count.strength))] = std::move(row);
  }
  for (const auto& [pass, pairs] : campaign.tally.run_pairs) {
    json["passes"][std::string(word_for(pass))]["runs"] = runs_json(pairs);
  }
  json["constraints"] = Json::array();
  for (const auto& [name, reason] : constraints_in_words()) {
    json["constraints"].push_back({{"name", name}, {"reason", reason}});
  }
  return json;
}

}  // namespace attest
