#include "harness/subjects/choice.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/isolated_subject.hpp"

namespace attest {
namespace {

void isolate_all(ChosenSubjects& chosen, const PluginSettings& settings) {
  const auto calls =
      std::make_shared<IsolatedCalls>(WorkerPlan{settings.worker, {"bundled"}, settings.patience});
  for (const Subject*& subject : chosen.subjects) {
    chosen.owned.push_back(isolated(*subject, calls));
    subject = chosen.owned.back().get();
  }
}

void add_plugin(ChosenSubjects& chosen, const std::string& spec, const PluginSettings& settings) {
  LoadedPlugins loaded = load_plugins(spec, settings);
  if (loaded.subjects.size() > 1) {
    std::string known;
    for (const auto& one : loaded.subjects) known += "\n  " + one.subject->name();
    throw Error(Blame::usage, spec + " has several subjects; name one of" + known);
  }
  Subject* const subject = loaded.subjects.front().subject.get();
  const bool there = std::ranges::any_of(
      chosen.subjects, [&](const Subject* one) { return one->name() == subject->name(); });
  if (there) return;
  if (!loaded.lacking.empty()) {
    chosen.notes.push_back(subject->name() + " runs without " + loaded.lacking);
  }
  chosen.subjects.push_back(subject);
  chosen.owned.push_back(std::move(loaded.subjects.front().subject));
}

}  // namespace

ChosenSubjects choose_subjects(std::span<const std::string> specs, const ChoiceSettings& settings) {
  std::vector<std::string> bundled, plugins;
  for (const std::string& spec : specs) {
    (spec.starts_with(kPluginScheme) ? plugins : bundled).push_back(spec);
  }
  ChosenSubjects chosen;
  if (plugins.empty() || !bundled.empty()) chosen.subjects = resolve_subjects(bundled);
  if (settings.isolate) isolate_all(chosen, settings.plugins);
  for (const std::string& spec : plugins) add_plugin(chosen, spec, settings.plugins);
  return chosen;
}

}  // namespace attest
