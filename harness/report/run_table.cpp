#include "harness/report/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/report/covering_report.hpp"
#include "harness/report/declined_text.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/report/table.hpp"

namespace attest {
namespace {

std::string verdicts(const LawCounts& counts) {
  const Index cases = counts.accepted + counts.rejected + counts.undecided;
  std::string text = fmt::format("{}/{}", counts.accepted, cases);
  if (counts.rejected > 0) text += fmt::format(" ({} rejected)", counts.rejected);
  if (counts.undecided > 0) text += fmt::format(" ({} undecided)", counts.undecided);
  return text;
}

// A wrong kernel's mean may have any size.
std::string mean_text(double mean) {
  return std::fabs(mean) < 1000 ? fmt::format("{:+.4f}", mean) : fmt::format("{:+.1e}", mean);
}

std::string cases_text(const SubjectTally& subject) {
  std::string endings;
  for (const auto& [kind, count] : subject.endings) {
    endings += fmt::format("{}{} {}", endings.empty() ? "" : ", ", count, name_of(kind));
  }
  return fmt::format("{}{}", subject.cases, endings.empty() ? "" : " (" + endings + ")");
}

// Of each output that was replayed: "o 51 %, dv 92 %". Nothing of one that has no such number.
template <class Share>
std::string of_replayed(const SubjectTally& subject, const Share& share) {
  std::string text;
  for (std::size_t n = 0; n < subject.replay.size(); ++n) {
    if (subject.replay[n].judged == 0 || share(subject.replay[n]).empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(static_cast<OutputTensor>(n)),
                        share(subject.replay[n]));
  }
  return text.empty() ? "-" : text;
}

// The rows of one pass; nothing where there are none.
std::string subject_table(const Tally& tally, Pass pass) {
  const std::vector<std::string> laws = tally.laws_of(pass);
  TableRow head = {"subject", "format", "unit", "cases", "3+ key tiles"};
  head.insert(head.end(), laws.begin(), laws.end());
  head.insert(head.end(), {"elements", "mean error/budget", "one value", "replay width/budget"});
  std::vector<TableRow> rows = {head};
  for (const auto& [key, subject] : tally.subjects) {
    if (key.pass != pass) continue;
    TableRow row = {key.subject, std::string(shape_of(key.format).name),
                    std::string(name_of(key.unit)), cases_text(subject),
                    std::to_string(subject.three_tiles)};
    for (const std::string& law : laws) {
      const auto counts = subject.laws.find(law);
      row.push_back(counts == subject.laws.end() ? "-" : verdicts(counts->second));
    }
    row.push_back(std::to_string(subject.elements));
    const auto bounded = static_cast<double>(subject.bounded);
    row.push_back(bounded == 0 ? "-" : mean_text(subject.signed_error_sum / bounded));
    row.push_back(of_replayed(subject, [](const ReplayCounts& counts) {
      return fmt::format("{:.0f} %", 100 * counts.single_share());
    }));
    row.push_back(of_replayed(subject, [](const ReplayCounts& counts) {
      return counts.width_sum > 0 ? fmt::format("{:.3f}", counts.mean_width()) : "";
    }));
    rows.push_back(row);
  }
  if (rows.size() == 1) return "";
  return (pass == Pass::bwd ? "backward cases:\n" : "") + align_table(rows) + "\n";
}

std::string shape_line(const Tally& tally) {
  std::string text = "shapes:";
  for (const auto& [name, count] : tally.shape_classes) text += fmt::format(" {} {}", name, count);
  return text + "\n";
}

std::string counts_line(const Tally& tally) {
  std::string fresh;
  for (const Format format : kFormats) {
    const auto slot = static_cast<std::size_t>(format);
    if (tally.fresh[slot] == 0) continue;
    fresh += fmt::format("{}{} {} ({} of three or more 16-key tiles)", fresh.empty() ? "" : ", ",
                         shape_of(format).name, tally.fresh[slot], tally.fresh_three_tiles[slot]);
  }
  return fmt::format("cases: {} goldens, {} counterexamples, fresh: {}\n", tally.goldens,
                     tally.counterexamples, fresh.empty() ? "none" : fresh);
}

// Declarations left open, and subjects that declined cases.
std::string notes(const Tally& tally) {
  std::string text;
  std::set<std::string> told;
  for (const auto& [key, subject] : tally.subjects) {
    if (subject.assumed.empty() || !told.insert(key.subject).second) continue;
    text += fmt::format("{}: assumed at their worst, not declared:", key.subject);
    for (const std::string& field : subject.assumed) text += " " + field;
    text += "\n";
  }
  std::map<std::string, std::pair<Index, Index>> shared;  // of so many cases
  for (const auto& [key, subject] : tally.subjects) {
    shared[key.subject].first += subject.shared;
    shared[key.subject].second += subject.cases;
  }
  for (const auto& [subject, counts] : shared) {
    if (counts.first == 0) continue;
    text += fmt::format("{}: {} of {} cases run the very kernel of another subject; judged once\n",
                        subject, counts.first, counts.second);
  }
  for (const auto& [subject, count] : tally.unsupported) {
    text += fmt::format("{}: {}\n", subject, declined_text(tally, subject));
  }
  return text;
}

std::string idle_units(const Campaign& campaign) {
  std::string text;
  for (const Unit unit : campaign.idle_units) {
    text += fmt::format("unit {}: no case ran on it\n", name_of(unit));
  }
  return text;
}

std::string closing_word(const Campaign& campaign, const Palette& palette) {
  if (campaign.rejected_cases > 0) return palette.red("REJECTED");
  if (!campaign.empty.empty() || !campaign.unrecorded.empty()) return palette.red("FAILED");
  if (!campaign.too_unbounded.empty()) return palette.red("UNJUDGED");
  if (campaign.undecided_cases > 0) return palette.yellow("UNDECIDED");
  return campaign.interrupted ? palette.yellow("INTERRUPTED") : palette.green("ACCEPTED");
}

std::string closing_counts(const Campaign& campaign) {
  Index declined = 0;
  for (const auto& [subject, count] : campaign.tally.unsupported) declined += count;
  std::string text = fmt::format("{} cases, {} rejected, {} undecided", campaign.tally.cases(),
                                 campaign.rejected_cases, campaign.undecided_cases);
  if (campaign.troubled_cases > 0) {
    text += fmt::format(", {} ended badly", campaign.troubled_cases);
  }
  if (declined > 0) text += fmt::format(", {} declined", declined);
  if (campaign.unfinished)
    text += fmt::format("; stopped before the end, {} planned", campaign.planned);
  return text;
}

}  // namespace

std::string family_table(const Tally& tally) {
  const bool backward = std::ranges::any_of(
      tally.families, [](const FamilyTally& family) { return !family.gradients.empty(); });
  TableRow head = {"family", "f16", "bf16", "O ratio", "LSE ratio"};
  if (backward) head.insert(head.end(), {"dQ", "dK", "dV", "dQ stage", "dK stage", "dV stage"});
  head.insert(head.end(), {"elements", "unbounded", "about"});
  Index all = 0;
  for (const FamilyTally& counts : tally.families) all += counts.judged_in_all();
  std::vector<TableRow> rows = {head};
  for (const FamilyTally& counts : tally.families) {
    const bool drawn = std::ranges::any_of(counts.cases, [](Index n) { return n > 0; });
    if (!drawn && counts.backward_only) continue;
    const auto ratio = [](bool judged, double worst) {
      return judged ? fmt::format("{:.3f}", worst) : std::string("-");
    };
    TableRow row = {
        counts.name, std::to_string(counts.cases[static_cast<std::size_t>(Format::f16)]),
        std::to_string(counts.cases[static_cast<std::size_t>(Format::bf16)]),
        ratio(counts.judged() > 0, counts.worst_o), ratio(counts.judged() > 0, counts.worst_lse)};
    if (backward) {
      for (const auto* worst : {&counts.worst_gradients, &counts.worst_stages}) {
        for (const double of : *worst) row.push_back(ratio(!counts.gradients.empty(), of));
      }
    }
    const auto judged = static_cast<double>(counts.judged_in_all());
    row.push_back(all == 0 ? "-"
                           : fmt::format("{:.1f} %", 100 * judged / static_cast<double>(all)));
    row.push_back(fmt::format("{:.1f} %", 100 * counts.worst_unbounded_share()));
    row.push_back(counts.title);
    rows.push_back(row);
  }
  return align_table(rows);
}

// Families of too many elements without a finite budget, by subject, and what it left open.
std::string hardly_judged(const Campaign& campaign) {
  std::map<std::string, std::vector<std::string>> families;
  for (const auto& [family, subject] : campaign.too_unbounded) families[subject].push_back(family);
  std::string text;
  for (const auto& [subject, named] : families) {
    text +=
        fmt::format("  {} {}, subject {}: more than 1 % of the elements have no finite budget\n",
                    named.size() == 1 ? "family" : "families", fmt::join(named, ", "), subject);
    const auto row = std::ranges::find_if(
        campaign.tally.subjects, [&](const auto& one) { return one.first.subject == subject; });
    if (row == campaign.tally.subjects.end() || row->second.assumed.empty()) continue;
    text += fmt::format(
        "    its declaration leaves open, at their worst: {}\n"
        "    (`attest list numerics` explains them; s_store counts most)\n",
        fmt::join(row->second.assumed, ", "));
  }
  return text;
}

std::string closing_line(const Campaign& campaign, const Palette& palette) {
  const Index cases = campaign.tally.cases();
  if (cases == 0) return palette.yellow("NOTHING SELECTED") + "\n";
  if (campaign.tally.subjects.empty()) {
    return palette.yellow("UNSUPPORTED") + fmt::format("  all of {} cases\n", cases);
  }
  if (campaign.tally.judged() == 0 && campaign.troubled_cases == 0) {
    return palette.yellow("NOTHING JUDGED") + fmt::format("  no law applies to {} cases\n", cases);
  }
  std::string trouble;
  for (const std::string& name : campaign.empty) trouble += "  " + name + " reached by no case\n";
  trouble += hardly_judged(campaign);
  if (!campaign.unrecorded.empty()) {
    trouble += "  not added to the counterexample list: " + campaign.unrecorded + "\n";
  }
  return trouble + closing_word(campaign, palette) + "  " + closing_counts(campaign) + "\n";
}

std::string campaign_report(const Campaign& campaign, const Palette& palette) {
  const Tally& tally = campaign.tally;
  std::string text;
  if (tally.cases() > 0) {
    text += counts_line(tally) + "\n" + family_table(tally) + "\n" + shape_line(tally) +
            covering_lines(campaign) + "\n";
    text += subject_table(tally, Pass::fwd) + subject_table(tally, Pass::bwd);
    text += notes(tally);
    text += idle_units(campaign);
  }
  for (const ToldFailure& told : told_failures(campaign.failures, palette)) {
    text += told.report + "\n";
  }
  return text + closing_line(campaign, palette);
}

}  // namespace attest
