// choice.hpp - the subjects of a command: bundled ones by name, others by a scheme.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/plugin_subject.hpp"

namespace attest {

struct ChosenSubjects {
  std::vector<const Subject*> subjects;  // bundled ones in the catalogue's order, then the others
  std::vector<std::unique_ptr<Subject>> owned;
  std::vector<std::string> notes;  // lines for whoever asked
};

struct ChoiceSettings {
  bool isolate = false;  // bundled subjects run in workers as well
  PluginSettings plugins;
};

// Names and globs as resolve_subjects (catalogue.hpp) takes them; "plugin:./lib.so#name" with a
// name that may be left out where the library has one subject. No spec means "bundled". Throws
// Error.
[[nodiscard]] ChosenSubjects choose_subjects(std::span<const std::string> specs,
                                             const ChoiceSettings& settings);

}  // namespace attest
