#include "harness/report/needs_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

std::vector<std::string> values_of(const Probe& probe, Trial trial) {
  std::vector<std::string> values;
  for (const TriedValue& one : probe.tried) {
    if (one.trial == trial) values.push_back(one.value);
  }
  return values;
}

std::string joined(const std::vector<std::string>& values, std::string_view between) {
  std::string text;
  for (const std::string& value : values)
    text += (text.empty() ? "" : std::string(between)) + value;
  return text;
}

// Sizes that ended alike without another between them are one range: "24 32..256". `trial` is not
// declined.
std::vector<std::string> ranges_of(const Probe& probe, Trial trial) {
  std::vector<std::string> ranges;
  std::vector<std::string> run;
  const auto close = [&] {
    if (run.size() > 2) run = {run.front() + ".." + run.back()};
    ranges.insert(ranges.end(), run.begin(), run.end());
    run.clear();
  };
  for (const TriedValue& one : probe.tried) {
    if (one.trial == trial) run.push_back(one.value);
    if (one.trial != trial && one.trial != Trial::declined) close();
  }
  close();
  return ranges;
}

// Where the values that fail and those that pass lie apart: "nk > 16".
std::string edge_text(const Probe& probe) {
  std::vector<const TriedValue*> told;
  for (const TriedValue& one : probe.tried) {
    if (one.trial != Trial::declined) told.push_back(&one);
  }
  std::size_t changes = 0;
  std::size_t edge = 0;
  for (std::size_t n = 1; n < told.size(); ++n) {
    if (told[n]->trial == told[n - 1]->trial) continue;
    ++changes;
    edge = n;
  }
  if (changes != 1) return {};
  const std::string& below = told[edge - 1]->value;
  const std::string& above = told[edge]->value;
  const bool adjacent = std::stol(above) - std::stol(below) == 1;
  const bool large = told[edge]->trial == Trial::fails;
  if (!adjacent) {
    return large ? fmt::format("{} >= {} (not {})", probe.dimension, above, below)
                 : fmt::format("{} <= {} (not {})", probe.dimension, below, above);
  }
  return large ? fmt::format("{} > {}", probe.dimension, below)
               : fmt::format("{} < {}", probe.dimension, above);
}

std::string some_text(const Probe& probe) {
  if (probe.is_size) {
    if (const std::string edge = edge_text(probe); !edge.empty()) return edge;
  }
  const auto listed = probe.is_size ? ranges_of : values_of;
  const std::vector<std::string> failing = listed(probe, Trial::fails);
  const std::vector<std::string> passing = listed(probe, Trial::passes);
  if (probe.dimension == "values") {
    return fmt::format("these values (of {} other draws {} fail)",
                       failing.size() - 1 + passing.size(), failing.size() - 1);
  }
  // "in=f16", but "mask left=0".
  const bool alone = failing.size() == 1 && failing.front() == probe.own &&
                     probe.own.find('=') == std::string::npos;
  return fmt::format("{}{}{} (not {})", probe.dimension, alone ? "=" : " ", joined(failing, " "),
                     joined(passing, " "));
}

std::string any_text(const Probe& probe) {
  const std::vector<std::string> failing = values_of(probe, Trial::fails);
  if (probe.dimension == "values") return fmt::format("values ({} draws)", failing.size() - 1);
  if (probe.is_size || failing.front().starts_with('/')) {
    return fmt::format("{} {}..{}", probe.dimension, failing.front(), failing.back());
  }
  return probe.dimension + " " + joined(failing, " ");
}

// Of the probes with that need, joined; sizes first, as in a case string.
std::string all_text(const Needs& needs, Need need, std::string_view between) {
  std::vector<std::string> texts;
  for (const bool sizes : {true, false}) {
    for (const Probe& probe : needs.probes) {
      if (probe.is_size == sizes && need_of(probe) == need) texts.push_back(need_text(probe));
    }
  }
  return joined(texts, between);
}

}  // namespace

Need need_of(const Probe& probe) {
  const auto count = [&](Trial trial) {
    return std::ranges::count(probe.tried, trial, &TriedValue::trial);
  };
  if (count(Trial::passes) > 0) return Need::some;
  return count(Trial::fails) > 1 ? Need::none : Need::untold;
}

std::string need_text(const Probe& probe) {
  switch (need_of(probe)) {
    case Need::none: return any_text(probe);
    case Need::some: return some_text(probe);
    case Need::untold: break;
  }
  return probe.dimension + "=" + probe.own;
}

std::string needs_lines(const Needs& needs) {
  if (needs.runs == 0) return {};
  const std::string some = all_text(needs, Need::some, ", ");
  const std::string any = all_text(needs, Need::none, ", ");
  const std::string untold = all_text(needs, Need::untold, ", ");
  std::string text;
  if (!some.empty()) text += "  needs      " + some + "\n";
  if (!any.empty()) text += "  any        " + any + "\n";
  if (!untold.empty()) text += "  alone      " + untold + ": other values were declined\n";
  text += fmt::format("  tried      {} cases around this one; of the rest nothing is known",
                      needs.runs);
  if (!needs.untried.empty()) text += "; out of time for " + joined(needs.untried, ", ");
  return text + "\n";
}

}  // namespace attest
