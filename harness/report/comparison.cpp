#include "harness/report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr const char* kAbsent = "absent";

void compare_laws(const std::string& name, const KeptRow& was, const KeptRow& is,
                  Comparison& comparison) {
  std::map<std::string, std::pair<const KeptLaw*, const KeptLaw*>> laws;
  for (const auto& [law, kept] : was.laws) laws[law].first = &kept;
  for (const auto& [law, kept] : is.laws) laws[law].second = &kept;
  for (const auto& [law, pair] : laws) {
    const auto [then, now] = pair;
    const std::string before = then == nullptr ? kAbsent : then->verdict;
    const std::string after = now == nullptr ? kAbsent : now->verdict;
    if (before != after) comparison.verdicts.push_back({name, law, before, after});
    if (then == nullptr || now == nullptr) continue;
    if (!then->worst_ratio || !now->worst_ratio) continue;
    ++comparison.compared_ratios;
    if (*then->worst_ratio == *now->worst_ratio) continue;
    comparison.ratios.push_back({name, law, *then->worst_ratio, *now->worst_ratio});
  }
}

void compare_bits(const std::string& name, const KeptRow& was, const KeptRow& is,
                  Comparison& comparison) {
  BitsChange change{name, 0, {}};
  for (const auto& [id, digest] : is.digests) {
    const auto then = was.digests.find(id);
    if (then == was.digests.end()) continue;
    ++comparison.same_cases;
    if (then->second == digest) {
      ++comparison.same_bits;
      continue;
    }
    if (change.cases++ == 0) change.first = id;
  }
  if (change.cases > 0) comparison.bits.push_back(change);
}

// The items' lines, the first `most` of them, and how many there are beyond.
template <class Item, class Line>
std::string some_of(const std::vector<Item>& items, std::size_t most, const Line& line) {
  std::string text;
  for (std::size_t n = 0; n < std::min(most, items.size()); ++n) {
    text += "    " + line(items[n]) + "\n";
  }
  if (items.size() > most) text += fmt::format("    and {} more\n", items.size() - most);
  return text;
}

std::string rows_part(const Comparison& c, std::size_t most) {
  const auto as_it_is = [](const std::string& row) { return row; };
  return fmt::format("  new rows         {}\n", c.new_rows.size()) +
         some_of(c.new_rows, most, as_it_is) +
         fmt::format("  vanished rows    {}\n", c.vanished_rows.size()) +
         some_of(c.vanished_rows, most, as_it_is);
}

std::string verdicts_part(const Comparison& c, std::size_t most) {
  return fmt::format("  changed verdicts {}\n", c.verdicts.size()) +
         some_of(c.verdicts, most, [](const VerdictChange& change) {
           return fmt::format("{}  {}: {} -> {}", change.row, change.law, change.was, change.is);
         });
}

std::string ratios_part(const Comparison& c, std::size_t most) {
  if (c.lacks_ratios) return "  worst ratios     the earlier report holds none\n";
  return fmt::format("  worst ratios     {} of {} changed\n", c.ratios.size(), c.compared_ratios) +
         some_of(c.ratios, most, [](const RatioChange& change) {
           return fmt::format("{}  {}: {:.4g} -> {:.4g}", change.row, change.law, change.was,
                              change.is);
         });
}

std::string bits_part(const Comparison& c, const std::map<std::string, CaseName>& names,
                      std::size_t most) {
  if (c.lacks_bits) return "  bits             the earlier report holds none\n";
  return fmt::format(
             "  bits             {} of {} runs that promise theirs met the same case; {} changed\n",
             c.same_cases, c.runs_with_bits, c.same_cases - c.same_bits) +
         some_of(c.bits, most, [&](const BitsChange& change) {
           const auto name = names.find(change.first);
           const std::string text =
               name == names.end() ? ""
                                   : fmt::format(", as in {} (schedule seed {})", name->second.text,
                                                 name->second.schedule_seed);
           return fmt::format("{}: in {} cases{}", change.row, change.cases, text);
         });
}

}  // namespace

Comparison compare(const KeptReport& earlier, const KeptReport& now) {
  Comparison comparison;
  comparison.title = earlier.title;
  comparison.lacks_ratios = !earlier.has_ratios;
  comparison.lacks_bits = !earlier.has_bits;
  for (const auto& [name, row] : now.rows) {
    comparison.runs_with_bits += static_cast<Index>(row.digests.size());
    const auto then = earlier.rows.find(name);
    if (then == earlier.rows.end()) {
      comparison.new_rows.push_back(name);
      continue;
    }
    compare_laws(name, then->second, row, comparison);
    compare_bits(name, then->second, row, comparison);
  }
  for (const auto& [name, row] : earlier.rows) {
    if (!now.rows.contains(name)) comparison.vanished_rows.push_back(name);
  }
  std::ranges::stable_sort(comparison.ratios, [](const RatioChange& a, const RatioChange& z) {
    return a.is - a.was > z.is - z.was;  // never NaN: the two of a change differ
  });
  return comparison;
}

std::string comparison_page(const Comparison& comparison,
                            const std::map<std::string, CaseName>& names, std::size_t most) {
  return "against " + comparison.file + " (" + comparison.title + "):\n" +
         rows_part(comparison, most) + verdicts_part(comparison, most) +
         ratios_part(comparison, most) + bits_part(comparison, names, most);
}

}  // namespace attest
