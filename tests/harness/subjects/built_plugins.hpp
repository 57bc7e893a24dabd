// built_plugins.hpp - the plug-ins that the build makes for tests, and the worker that loads them.
#pragma once

#include <chrono>
#include <string>

#include "harness/subjects/plugin_subject.hpp"

namespace attest {

inline constexpr std::chrono::milliseconds kPlentyOfTime{20'000};

[[nodiscard]] inline PluginSettings built_worker(
    std::chrono::milliseconds patience = kPlentyOfTime) {
  return {ATTEST_WORKER_PROGRAM, patience};
}

// "plugin:<folder of the build>/<name>.so".
[[nodiscard]] inline std::string built_plugin(const std::string& name) {
  return "plugin:" ATTEST_PLUGIN_FOLDER "/" + name + ".so";
}

// Its one subject. Throws Error.
[[nodiscard]] inline std::unique_ptr<Subject> load_one(
    const std::string& spec, const PluginSettings& settings = built_worker()) {
  return std::move(load_plugins(spec, settings).subjects.at(0).subject);
}

}  // namespace attest
