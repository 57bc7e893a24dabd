#include "harness/report/github_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "harness/report/failing_report.hpp"
#include "harness/report/shortcomings.hpp"

namespace attest {
namespace {

constexpr std::size_t kLongestMessage = 4000;

std::string escape(std::string_view text, bool of_property) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '%': escaped += "%25"; break;
      case '\r': escaped += "%0D"; break;
      case '\n': escaped += "%0A"; break;
      case ':': escaped += of_property ? "%3A" : ":"; break;
      case ',': escaped += of_property ? "%2C" : ","; break;
      default: escaped += letter;
    }
  }
  return escaped;
}

// Not in the middle of a character.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

void add_failures(const Campaign& campaign, std::vector<std::string>& lines) {
  for (const auto& [failure, report] : told_failures(campaign.failures, {})) {
    lines.push_back(github_command(
        "error", fmt::format("attest: {}, law {}", row_name(row_of(*failure)), failure->law),
        report));
  }
}

void add_undecided(const Campaign& campaign, std::vector<std::string>& lines) {
  for (const auto& [row, subject] : campaign.tally.subjects) {
    for (const auto& [law, counts] : subject.laws) {
      if (counts.undecided == 0) continue;
      lines.push_back(github_command("error", "attest: " + row_name(row) + ", law " + law,
                                     fmt::format("{} cases undecided", counts.undecided)));
    }
  }
}

void add_shortcomings(const Campaign& campaign, std::vector<std::string>& lines) {
  for (const Shortcoming& one : shortcomings(campaign)) {
    if (!one.text.empty()) lines.push_back(github_command("error", "attest: campaign", one.text));
  }
}

void add_changes(const Comparison& comparison, std::vector<std::string>& lines) {
  for (const VerdictChange& change : comparison.verdicts) {
    lines.push_back(github_command("warning", "attest: " + change.row + ", law " + change.law,
                                   fmt::format("was {}, is {}", change.was, change.is)));
  }
  for (const BitsChange& change : comparison.bits) {
    lines.push_back(github_command("warning", "attest: " + change.row,
                                   fmt::format("other bits in {} cases", change.cases)));
  }
}

}  // namespace

std::string github_command(std::string_view kind, std::string_view title,
                           std::string_view message) {
  return fmt::format("::{} title={}::{}\n", kind, escape(title, true),
                     escape(cut(message, kLongestMessage), false));
}

std::string github_annotations(const Campaign& campaign, const Comparison* comparison) {
  std::vector<std::string> lines;
  add_failures(campaign, lines);
  add_undecided(campaign, lines);
  add_shortcomings(campaign, lines);
  if (comparison != nullptr) add_changes(*comparison, lines);
  if (lines.size() > kMostAnnotations) {
    const std::size_t more = lines.size() - (kMostAnnotations - 1);
    const bool errors = lines[kMostAnnotations - 1].starts_with("::error");  // they come first
    lines.resize(kMostAnnotations - 1);
    lines.push_back(github_command(errors ? "error" : "warning", "attest",
                                   fmt::format("{} more; the step's summary has them", more)));
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace attest
