#include "harness/report/markdown_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/contract.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/report/run_table.hpp"
#include "harness/report/shortcomings.hpp"

namespace attest {
namespace {

constexpr std::size_t kLeastLimit = 4000;
constexpr std::size_t kLongestHead = 2000;  // in bytes; a closing word can list much
constexpr std::size_t kFootRoom = 600;

std::string cell(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '|')
      safe += "\\|";
    else if (letter == '<')
      safe += "&lt;";
    else if (letter == '\n' || letter == '\r')
      safe += ' ';
    else
      safe += letter;
  }
  return safe;
}

// A fence that nothing in the text closes.
std::string fenced(const std::string& text) {
  std::size_t longest = 2, run = 0;
  for (const char letter : text) {
    run = letter == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string folded(const std::string& summary, const std::string& text) {
  return "<details><summary>" + cell(summary) + "</summary>\n\n" + fenced(text) + "\n</details>\n";
}

// What a row has that is not accepted, "accuracy 3 rejected, run 1 crashed"; empty where all is.
std::string not_accepted(const SubjectTally& subject) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  for (const auto& [kind, count] : subject.endings) {
    add(fmt::format("run {} {}", count, name_of(kind)));
  }
  for (const auto& [law, counts] : subject.laws) {
    if (counts.rejected > 0) add(fmt::format("{} {} rejected", law, counts.rejected));
    if (counts.undecided > 0) add(fmt::format("{} {} undecided", law, counts.undecided));
  }
  return text;
}

// The largest error/budget of a law that judges values, and whose it is.
std::string worst_ratio(const SubjectTally& subject) {
  double worst = -1;
  std::string text = "-";
  for (const auto& [law, counts] : subject.laws) {
    if (counts.worst_ratio.value_or(-1) <= worst) continue;
    worst = *counts.worst_ratio;
    text = fmt::format(
        "{} ({})", worst < 1000 ? fmt::format("{:.3f}", worst) : fmt::format("{:.1e}", worst), law);
  }
  return text;
}

std::string table_row(const SubjectKey& key, const SubjectTally& subject) {
  const std::string wrong = not_accepted(subject);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", cell(key.subject),
                     shape_of(key.format).name, name_of(key.unit),
                     key.pass == Pass::fwd ? "fwd" : "bwd", subject.cases,
                     wrong.empty() ? "accepted" : "**" + cell(wrong) + "**", worst_ratio(subject));
}

constexpr std::string_view kTableHead =
    "| subject | format | unit | pass | cases | verdict | worst error/budget |\n"
    "|---|---|---|---|---|---|---|\n";

// Text that grows by whole pieces up to its limit.
class Page {
 public:
  explicit Page(std::size_t limit) : limit_(limit) {}

  // How many of the pieces had no room. Title and end only where a piece has.
  std::size_t add(std::string_view title, const std::vector<std::string>& pieces,
                  std::string_view end) {
    std::string part(title);
    std::size_t dropped = 0;
    for (const std::string& piece : pieces) {
      const bool fits = text_.size() + part.size() + piece.size() + end.size() <= limit_;
      if (fits)
        part += piece;
      else
        ++dropped;
    }
    if (dropped < pieces.size()) text_ += part + std::string(end);
    return dropped;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t limit_;
  std::string text_;
};

std::string head(const RunDescription& run, const Campaign& campaign) {
  const std::string title =
      fmt::format("## attest {}: exit status {}\n\n", run.command, run.exit_status);
  std::string closing = closing_line(campaign, {});
  if (closing.size() > kLongestHead - 500) {
    // The last line is the verdict; what comes before may be a long list.
    closing = closing.substr(closing.rfind('\n', closing.size() - 2) + 1).substr(0, 1000);
  }
  return title + fenced(closing) + fmt::format("\ntier {}, seed {}\n\n", run.tier, run.seed);
}

struct Dropped {
  std::size_t count;
  std::size_t of;
  std::string_view what;
};

std::string foot(const std::vector<Dropped>& dropped, bool failures) {
  std::string left_out;
  for (const auto& [count, of, what] : dropped) {
    if (count == 0) continue;
    left_out += fmt::format("{}{} of {} {}", left_out.empty() ? "" : ", ", count, of, what);
  }
  std::string text;
  if (failures) {
    text +=
        "\nThe last line of a failing report, `attest replay ...`, runs its case again; "
        "nothing else is needed.\n";
  }
  if (!left_out.empty()) {
    text += "\nLeft out, since this page may only be so long: " + left_out +
            ". The JSON report (`--json FILE`) has them all.\n";
  }
  return text;
}

}  // namespace

std::string markdown_page(const RunDescription& run, const Campaign& campaign,
                          const Comparison* comparison, std::size_t limit) {
  ATTEST_EXPECTS(limit >= kLeastLimit);
  std::vector<std::string> wrong, right, reports, changes;
  for (const auto& [key, subject] : campaign.tally.subjects) {
    (not_accepted(subject).empty() ? right : wrong).push_back(table_row(key, subject));
  }
  for (const auto& [failure, report] : told_failures(campaign.failures, {})) {
    reports.push_back(
        folded(fmt::format("{}: law {}", row_name(row_of(*failure)), failure->law), report));
  }
  if (comparison != nullptr) {
    changes.push_back(
        folded("against " + comparison->file, comparison_page(*comparison, campaign.names)));
  }
  const std::string table_head = std::string(kTableHead);
  Page page(limit - kFootRoom);
  page.add("", {head(run, campaign)}, "");
  std::vector<Dropped> dropped;
  const auto add = [&](std::string_view title, const std::vector<std::string>& pieces,
                       std::string_view end, std::string_view what) {
    dropped.push_back({page.add(title, pieces, end), pieces.size(), what});
  };
  add(table_head, wrong, "\n", "rows that are not accepted");
  add("", reports, "\n", "failing reports");
  add("", changes, "\n", "comparisons");
  add("<details><summary>accepted rows</summary>\n\n" + table_head, right, "\n</details>\n",
      "accepted rows");
  return page.text() + foot(dropped, !reports.empty());
}

}  // namespace attest
