// plugin_subject.hpp - subjects that come from a shared library, by "plugin:./libmy.so#name".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/isolation/worker.hpp"

namespace attest {

inline constexpr std::string_view kPluginScheme = "plugin:";

struct DescribedPlugin {
  std::string about;
  std::unique_ptr<Subject> subject;  // named as its SPEC, "plugin:./libmy.so#name"
};

struct LoadedPlugins {
  std::vector<DescribedPlugin> subjects;
  std::string lacking;  // what its sandbox could not have, in one line; empty when all was there
};

// How long a call may take, and where the worker program lies.
struct PluginSettings {
  std::filesystem::path worker = worker_program_path();
  std::chrono::milliseconds patience{30'000};
};

// The subject that the SPEC names, or all of its library where it names none. The library is opened
// in a worker, never here.
// Throws Error (subject_load), with what is wrong, when the library cannot be opened, speaks
// another version, has no such subject, or declares what nobody understands.
[[nodiscard]] LoadedPlugins load_plugins(const std::string& spec, const PluginSettings& settings);

}  // namespace attest
