#include "harness/report/failing_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/hex_float.hpp"
#include "core/key_values.hpp"
#include "core/problem_text.hpp"
#include "harness/report/needs_text.hpp"

namespace attest {
namespace {

std::string class_text(OutputClass c) {
  constexpr std::string_view names[] = {
      "finite", "NaN", "+inf", "-inf", "undefined", "dead", "beyond the length"};
  return std::string(names[static_cast<int>(c)]);
}

// What the declared schedule can give, and how far its value lies from the observed one before the
// last rounding.
std::string acceptable_line(const ElementJudgement& e) {
  if (e.exact.lo == e.exact.hi) return "  acceptable " + to_hex(e.exact.lo) + " alone";
  return fmt::format("  acceptable from {} to {}", to_hex(e.exact.lo), to_hex(e.exact.hi));
}

std::string exact_line(const ElementJudgement& e) {
  if (e.exact_class != OutputClass::finite) return "  exact      " + class_text(e.exact_class);
  if (e.replayed) return acceptable_line(e);
  return fmt::format("  exact in   [{}, {}]  (about {:.9g})", to_hex(e.exact.lo),
                     to_hex(e.exact.hi), e.exact.lo / 2 + e.exact.hi / 2);
}

// Three digits, and more where they would make 1 of what is not.
std::string ratio_text(double ratio) {
  std::string text = fmt::format("{:.3g}", ratio);
  for (int digits = 4; digits <= 17 && text == "1" && ratio != 1; ++digits) {
    text = fmt::format("{:.{}g}", ratio, digits);
  }
  return text;
}

std::string budget_line(const ElementJudgement& e) {
  if (e.budget.unbounded == Unbounded::range) {
    return "  budget     none: an intermediate may leave its range";
  }
  if (e.budget.unbounded == Unbounded::magnitude) {
    return "  budget     none: the declared error exceeds the output; its class is judged";
  }
  if (!std::isfinite(e.observed)) return fmt::format("  budget     {:.3e}", e.budget.total);
  return fmt::format("  error      {:.3e}  budget {:.3e}  ratio {}", e.error, e.budget.total,
                     ratio_text(e.ratio));
}

std::string terms_line(const Budget& budget) {
  std::vector<BudgetTerm> terms = budget.terms;
  std::ranges::stable_sort(terms, std::ranges::greater{}, &BudgetTerm::value);
  double total = 0;
  for (const BudgetTerm& term : terms) total += term.value;
  std::string text;
  for (const BudgetTerm& term : terms) {
    const double share = 100 * term.value / total;
    if (!(share >= 0.5)) break;  // nor where all terms are 0, or some are infinite
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", term.name, share);
  }
  return text.empty() ? "" : "  largest    " + text + "\n";
}

std::string row_line(const Problem& p, const ElementJudgement& e) {
  const RowMoments& row = e.row;
  const Index masked = p.n_k - row.live_keys;
  if (row.live_keys == 0) return fmt::format("  row {:<6} no live key, {} masked", e.i, masked);
  if (row.sum_exp.hi == 0) {  // a row without a softmax has no moments
    return fmt::format("  row {:<6} a live score is no number, {} live keys, {} masked", e.i,
                       row.live_keys, masked);
  }
  return fmt::format(
      "  row {:<6} max score {:.6g} at j={}, {} of {} live keys within 1 of it, {} masked; live "
      "keys {}..{}",
      e.i, row.max_score.lo / 2 + row.max_score.hi / 2, row.argmax, row.keys_near_max,
      row.live_keys, masked, row.first_live, row.last_live);
}

// Where in the tensors and in the subject's key tiles the element lies.
std::string region_line(const Failure& f, const ElementJudgement& e) {
  const Problem& p = f.shrunk.smallest.problem;
  const bool by_keys = has_key_rows(e.tensor);
  std::string text = fmt::format("  region     {} row {} of {}", by_keys ? "key" : "query", e.i,
                                 by_keys ? p.n_k : p.n_q);
  const bool as_wide_as_v = e.tensor == OutputTensor::o || e.tensor == OutputTensor::dv;
  const Index columns = as_wide_as_v ? p.d_v : p.d_qk;
  if (e.tensor != OutputTensor::lse && e.k < columns) {
    text += fmt::format(", column {} of {}", e.k, columns);
  } else if (e.tensor != OutputTensor::lse) {
    text += fmt::format(", column {}, which the law adds to {}", e.k, columns);
  }
  const std::optional<Index> tile = numerics_of(f).tile_k;
  if (!tile || e.row.live_keys == 0) return text;
  return text + fmt::format("; key tiles {}..{} of {} keys", e.row.first_live / *tile,
                            e.row.last_live / *tile, *tile);
}

std::string because_line(const LawOutcome& outcome, const std::string& reason) {
  if (reason.empty()) return {};
  const std::string setting = outcome.setting.empty() ? "" : " (" + outcome.setting + ")";
  return "  because    " + reason + setting + "\n";
}

// A machine's complaint may have several lines.
std::string indented(const std::string& detail) {
  std::string text;
  for (const char letter : detail)
    text += letter == '\n' ? "\n             " : std::string(1, letter);
  return text;
}

// "nq=257 -> 3, nk=513 -> 33": the keys that shrinking changed.
std::string shape_changes(const Problem& before, const Problem& after) {
  const std::string from = to_string(before);
  const std::string to = to_string(after);
  const auto old_entries = split_key_values("problem", strip_prefix("problem", from));
  const auto new_entries = split_key_values("problem", strip_prefix("problem", to));
  std::string text;
  for (const KeyValue& was : old_entries) {
    const auto now = std::ranges::find(new_entries, was.key, &KeyValue::key);
    const std::string_view value = now == new_entries.end() ? "full" : now->value;
    if (value == was.value) continue;
    text += fmt::format("{}{}={} -> {}", text.empty() ? "" : ", ", was.key, was.value, value);
  }
  return text.empty() ? "nothing" : text;
}

std::string shrunk_line(const Failure& f) {
  return fmt::format("  shrunk     {} in {} steps ({} tried{})",
                     shape_changes(f.original.problem, f.shrunk.smallest.problem), f.shrunk.steps,
                     f.shrunk.tried, f.shrunk.out_of_time ? ", out of time" : "");
}

// As one word of a shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? "'\\''" : std::string(1, letter);
  return word + "'";
}

// What another law found, in one line.
std::string found_by(const Failure& f) {
  const std::string lasting =
      f.trouble.kind != RunOutcome::Kind::ran ? f.trouble.detail : f.outcome.detail;
  std::string text = lasting.substr(0, lasting.find('\n'));
  const ElementJudgement* shown = f.outcome.judgement ? f.outcome.judgement->worst() : nullptr;
  if (shown == nullptr || shown->verdict != Verdict::reject) return text;
  text = place_of(*shown) + " " + shown->reason;
  const bool by_ratio = shown->exact_class == OutputClass::finite &&
                        shown->budget.unbounded == Unbounded::no && std::isfinite(shown->observed);
  return by_ratio ? text + ", ratio " + ratio_text(shown->ratio) : text;
}

std::string beside_lines(const Failure& told, std::span<const Failure> others) {
  if (others.empty()) return {};
  std::size_t width = 0;
  for (const Failure& one : others) width = std::max(width, one.law.size());
  std::string text =
      fmt::format("  also       rejected by {} more {}, which --all tells in full:\n",
                  others.size(), others.size() == 1 ? "law" : "laws");
  for (const Failure& one : others) {
    const bool same = one.smallest_text == told.smallest_text;
    text += fmt::format("             {:<{}}  {}{}\n", one.law, width, found_by(one),
                        same ? "" : " (in another case)");
  }
  return text;
}

std::string report_with(const Failure& f, std::span<const Failure> others, const Palette& palette) {
  return rejected_report(f, palette) + shrunk_line(f) + "\n" + needs_lines(f.needs) +
         beside_lines(f, others) + "  again      " + replay_command(f) + "\n";
}

}  // namespace

std::string place_of(const ElementJudgement& e) {
  const std::string row =
      fmt::format("b={} h={} {}={}", e.b, e.h, has_key_rows(e.tensor) ? "j" : "i", e.i);
  if (e.tensor == OutputTensor::lse) return "lse[" + row + "]";
  return fmt::format("{}[{} d={}]", name_of(e.tensor), row, e.k);
}

std::string element_report(const ElementJudgement& e) {
  const int digits = 2 * bytes_of(e.format);
  std::string text = fmt::format("  observed   {}  ({} {:0{}x}, {:.9g}){}\n", to_hex(e.observed),
                                 shape_of(e.format).name, e.bits, digits, e.observed,
                                 is_unwritten(e) ? "; as before the run, never written" : "");
  text += exact_line(e) + "\n";
  if (e.exact_class == OutputClass::finite) text += budget_line(e) + "\n";
  return text + terms_line(e.budget);
}

std::string replay_command(const Failure& f) {
  std::string text = fmt::format("attest replay {} --subject {} --unit {}", quoted(f.smallest_text),
                                 quoted(f.subject->name()), name_of(f.unit));
  if (f.schedule_seed != 0) text += fmt::format(" --schedule-seed {}", f.schedule_seed);
  if (!f.configuration.empty()) text += fmt::format(" --configuration {}", quoted(f.configuration));
  if (f.calling.isolated) text += " --isolate";
  if (!f.calling.patience.empty()) text += " --patience " + f.calling.patience;
  return text;
}

std::string rejected_report(const Failure& f, const Palette& palette) {
  const Problem& problem = f.shrunk.smallest.problem;
  std::string text = fmt::format("{}  {} {} {}  law {}", palette.red("REJECT"), f.subject->name(),
                                 shape_of(problem.in).name, name_of(f.unit), f.law);
  const ElementJudgement* shown = f.outcome.judgement ? f.outcome.judgement->worst() : nullptr;
  if (shown != nullptr) text += "  element " + place_of(*shown);
  text += "\n";
  if (f.trouble.kind != RunOutcome::Kind::ran) {
    text +=
        fmt::format("  run        {}: {}\n", name_of(f.trouble.kind), indented(f.trouble.detail));
  }
  text += because_line(f.outcome, shown != nullptr ? shown->reason : f.outcome.detail);
  if (shown != nullptr) {
    const bool of_case = !f.outcome.other_problem;
    if (of_case) text += region_line(f, *shown) + "\n";
    text += element_report(*shown);
    const bool of_forward = shown->tensor == OutputTensor::o || shown->tensor == OutputTensor::lse;
    if (of_case && of_forward) text += row_line(problem, *shown) + "\n";
    if (shown->oracle_bits > 0) text += fmt::format("  oracle     {} bits\n", shown->oracle_bits);
  }
  return text;
}

std::string failing_report(const Failure& f, const Palette& palette) {
  return report_with(f, {}, palette);
}

std::vector<ToldFailure> told_failures(std::span<const Failure> failures, const Palette& palette) {
  std::vector<ToldFailure> told;
  while (!failures.empty()) {
    const auto next = std::find_if(failures.begin() + 1, failures.end(),
                                   [](const Failure& one) { return one.beside.empty(); });
    const auto count = static_cast<std::size_t>(next - failures.begin());
    told.push_back({&failures.front(),
                    report_with(failures.front(), failures.subspan(1, count - 1), palette)});
    failures = failures.subspan(count);
  }
  return told;
}

}  // namespace attest
