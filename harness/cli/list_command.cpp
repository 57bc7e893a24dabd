#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "core/numerics_fields.hpp"
#include "harness/campaign/fault_coverage.hpp"
#include "harness/cli/commands.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/plugin_subject.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"

namespace attest {
namespace {

void list_entries(SubjectKind kind) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (kind_of(entry.name) != kind) continue;
    fmt::print("{:<32} {}\n", entry.name, entry.about);
  }
}

std::string_view about(Unit unit) {
  switch (unit) {
    case Unit::fp32_seq: return "one chain of binary32 fused multiply-adds";
    case Unit::exact_rn: return "16 products and the accumulator summed exactly, rounded once";
    case Unit::v100: return "blocks of 4, cut to 23 fraction bits";
    case Unit::a100: return "blocks of 8, cut to 24 fraction bits; also named ada";
    case Unit::h100: return "blocks of 16, cut to 25 fraction bits; also named h200, b200";
    case Unit::device: return "whatever a device does; its errors are not known";
  }
  return "";
}

const std::map<std::string_view, std::function<void()>>& lists() {
  static const std::map<std::string_view, std::function<void()>> all = {
      {"subjects", [] { list_entries(SubjectKind::healthy); }},
      {"canaries", [] { list_entries(SubjectKind::canary); }},
      {"machine-faults", [] { list_entries(SubjectKind::machine_fault); }},
      {"families",
       [] {
         for (const Family& family : families()) {
           fmt::print("{:<5} {}; for {}\n", family.name, family.title, family.targets);
         }
       }},
      {"laws",
       [] {
         for (const Law& law : laws()) fmt::print("{:<17} {}\n", law.name, law.promise);
       }},
      {"numerics",
       [] {
         for (const NumericsField& field : numerics_fields()) {
           fmt::print("{:<13} {}\n{:<13} {}\n", field.key, field.values, "", field.about);
         }
       }},
      {"coverage", [] { fmt::print("{}", fault_coverage()); }},
      {"units",
       [] {
         for (const Unit unit : kUnits) {
           fmt::print("{:<9} {}\n", name_of(unit), about(unit));
         }
       }},
  };
  return all;
}

int list_plugin(const std::string& spec) {
  for (const DescribedPlugin& one : load_plugins(spec, {}).subjects) {
    fmt::print("{:<32} {}\n", one.subject->name(), one.about);
  }
  return 0;
}

int list(const std::string& what) {
  if (what.starts_with(kPluginScheme)) return list_plugin(what);
  const auto found = lists().find(what);
  if (found == lists().end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, print] : lists()) known.push_back(name);
    if (what.empty())
      throw Error(Blame::usage, fmt::format("list what? {}", fmt::join(known, ", ")));
    throw Error(Blame::usage, unknown_name("list", what, known));
  }
  found->second();
  return 0;
}

}  // namespace

void add_list_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("list", "list what there is, the name first on each line");
  auto what = std::make_shared<std::string>();
  command->add_option(
      "what", *what,
      "subjects, canaries, machine-faults, families, laws, units, numerics, coverage, or "
      "plugin:./lib.so:\n"
      "what a library holds");
  command->footer("Example: attest list laws");
  command->callback([&chosen, what] { chosen = [what] { return list(*what); }; });
}

}  // namespace attest
