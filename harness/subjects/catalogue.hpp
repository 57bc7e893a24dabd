// catalogue.hpp - the list of all subjects, and how a SPEC picks from it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/subject.hpp"

namespace attest {

inline constexpr std::string_view kCanaryPrefix = "canary/";

struct CatalogueEntry {
  std::string name;
  std::string about;  // one sentence
  std::unique_ptr<Subject> subject;
  std::string_view law;  // of a canary: the law that must reject it; empty for healthy subjects
  Index most_keys = 0;   // of a canary: its shrunk failure fits into this many keys

  [[nodiscard]] bool is_canary() const { return !law.empty(); }
};

// canary/none: the canaries' kernel without a fault.
[[nodiscard]] const Subject& control();

// Every subject, healthy ones first. Made once; lives as long as the program.
[[nodiscard]] std::span<const CatalogueEntry> catalogue();

// The subjects that the SPECs name, in catalogue order, each once. No spec means "bundled": every
// healthy bundled subject and variant. A canary is picked only by a spec that begins with
// "canary/". Throws Error (usage) on a spec that names nothing.
[[nodiscard]] std::vector<const Subject*> resolve_subjects(std::span<const std::string> specs);

}  // namespace attest
