// catalogue.hpp - the list of all subjects, and how a SPEC picks from it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/subject.hpp"

namespace attest {

inline constexpr std::string_view kVariantPrefix = "variant/";
inline constexpr std::string_view kCanaryPrefix = "canary/";
inline constexpr std::string_view kMachineFaultPrefix = "machine-fault/";

// What a subject is there for; its name's prefix tells.
enum class SubjectKind : std::uint8_t {
  healthy,
  canary,         // computes something else on purpose: for the laws
  machine_fault,  // breaks the machine's rules on purpose: for the machine's own checks
};

[[nodiscard]] SubjectKind kind_of(std::string_view name);

struct CatalogueEntry {
  std::string name;
  std::string about;  // one sentence
  std::unique_ptr<Subject> subject;
  std::string_view law;   // of a canary: the law that must reject it; empty for healthy subjects
  Index most_keys = 0;    // of a canary: its shrunk failure fits into this many keys
  Pass pass = Pass::fwd;  // of a canary: of the cases that show it
  std::string control = "canary/none";  // of a canary: what is right on the same cases
  std::string_view classes =
      "";  // of a canary: of the fault catalogue that it stands for: "C03, C09"

  [[nodiscard]] bool is_canary() const {
    return kind_of(name) == SubjectKind::canary && !law.empty();
  }
};

// canary/none: the canaries' kernel without a fault.
[[nodiscard]] const Subject& control();

// What is right where the canary is wrong. Requires: entry.is_canary().
[[nodiscard]] const Subject& control_of(const CatalogueEntry& entry);

// Every subject, healthy ones first. Made once; lives as long as the program.
[[nodiscard]] std::span<const CatalogueEntry> catalogue();

// The subjects that the SPECs name, in catalogue order, each once. No spec means "bundled": every
// healthy bundled subject and variant. A canary is picked only by a spec that begins with
// "canary/", a machine fault only by one that begins with "machine-fault/". Throws Error (usage) on
// a spec that names nothing.
[[nodiscard]] std::vector<const Subject*> resolve_subjects(std::span<const std::string> specs);

// The same from another list.
[[nodiscard]] std::vector<const Subject*> resolve_subjects(std::span<const CatalogueEntry> entries,
                                                           std::span<const std::string> specs);

// The name of the catalogue's subject whose run of the problem on the unit this one's is: the same
// kernel, launched alike, so that with the same settings no bit differs. Nothing for a subject that
// does more than to choose another, and on a device, where nobody promises that.
[[nodiscard]] std::optional<std::string> shared_run(const Subject& subject, const Problem& problem,
                                                    Unit unit);

}  // namespace attest
