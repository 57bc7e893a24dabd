#include "harness/subjects/catalogue.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "harness/subjects/device_subject.hpp"
#include "harness/subjects/glob.hpp"
#include "kernels/attention/dispatch.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"

namespace attest {
namespace {

constexpr std::string_view kBundled = "bundled";
constexpr std::string_view kControl = "canary/none";
constexpr std::string_view kDispatched = "dispatched";

std::vector<CatalogueEntry> make_catalogue() {
  std::vector<CatalogueEntry> all;
  const auto add = [&](DescribedSubject made) {
    std::string name = made.subject->name();
    all.push_back({std::move(name), std::move(made.about), std::move(made.subject), {}, 0});
  };
  const auto add_kernel = [&](DescribedSubject made) {
    made.subject = with_device(std::move(made.subject));
    add(std::move(made));
  };
  for (const PlainForm& form : plain_forms()) {
    const std::string name(form.name);
    all.push_back(
        {name, std::string(form.about), make_plain(name, form.config, form.offers), {}, 0});
  }
  for (DescribedSubject& made : tiled_subjects()) add_kernel(std::move(made));
  for (DescribedSubject& made : materialising_subjects()) add_kernel(std::move(made));
  for (DescribedSubject& made : split_subjects()) add_kernel(std::move(made));
  add_kernel(dispatched_subject());
  for (const Canary& canary : canaries()) {
    const std::string about = canary.fault.empty() ? std::string("the control: plain, no fault")
                                                   : std::string(canary.fault);
    all.push_back({std::string(canary.name), about, canary.make(), canary.law, canary.most_keys,
                   canary.pass, std::string(canary.control), canary.classes});
  }
  for (DescribedSubject& made : tiled_canaries()) {
    add(std::move(made));
    all.back().law = "write_traffic";
    all.back().most_keys = 1;
    all.back().control = "tiled";
  }
  for (DescribedSubject& made : machine_fault_subjects()) add(std::move(made));
  return all;
}

// What is wrong on purpose, canary or machine fault, never comes by a glob that does not say so.
bool is_picked(std::string_view spec, std::string_view name) {
  const SubjectKind kind = kind_of(name);
  if (spec == kBundled) return kind == SubjectKind::healthy;
  return (kind == SubjectKind::healthy || kind_of(spec) == kind) && glob_matches(spec, name);
}

// Letters to insert, drop or change to make one name of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// Those that a slip of the hand may have meant, with their folder or without.
std::vector<std::string_view> nearest(std::span<const CatalogueEntry> entries,
                                      std::string_view spec) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const CatalogueEntry& entry : entries) {
    const std::string_view name = entry.name;
    const std::string_view last = name.substr(name.rfind('/') + 1);
    const std::size_t off = std::min(distance(spec, name), distance(spec, last));
    if (off <= std::max(spec.size() / 4, std::size_t{2})) near.emplace_back(off, name);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> names;
  for (std::size_t n = 0; n < std::min(kMost, near.size()); ++n) names.push_back(near[n].second);
  return names;
}

[[noreturn]] void fail_unknown(std::span<const CatalogueEntry> entries, const std::string& spec) {
  std::string text = "unknown subject '" + spec + "'";
  if (spec.find_first_of("*?") != std::string::npos) text = "no subject matches '" + spec + "'";
  if (spec.ends_with(".so")) {
    throw Error(Blame::usage, text + "; a library of your own is plugin:" + spec);
  }
  std::string meant;
  for (const std::string_view name : nearest(entries, spec)) {
    meant += (meant.empty() ? "; did you mean '" : "' or '") + std::string(name);
  }
  if (!meant.empty()) text += meant + "'?";
  const SubjectKind kind = kind_of(spec);
  const std::string list = kind == SubjectKind::canary          ? "canaries"
                           : kind == SubjectKind::machine_fault ? "machine-faults"
                                                                : "subjects";
  throw Error(Blame::usage, text + "; `attest list " + list + "` has them all");
}

const Subject& subject_named(std::string_view name) {
  const auto entry = std::ranges::find(catalogue(), name, &CatalogueEntry::name);
  ATTEST_EXPECTS(entry != catalogue().end());
  return *entry->subject;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> all = make_catalogue();
  return all;
}

const Subject& control() { return subject_named(kControl); }

const Subject& control_of(const CatalogueEntry& entry) { return subject_named(entry.control); }

SubjectKind kind_of(std::string_view name) {
  if (name.starts_with(kCanaryPrefix)) return SubjectKind::canary;
  if (name.starts_with(kMachineFaultPrefix)) return SubjectKind::machine_fault;
  return SubjectKind::healthy;
}

std::vector<const Subject*> resolve_subjects(std::span<const std::string> specs) {
  return resolve_subjects(catalogue(), specs);
}

std::vector<const Subject*> resolve_subjects(std::span<const CatalogueEntry> entries,
                                             std::span<const std::string> specs) {
  const std::vector<std::string> bundled = {std::string(kBundled)};
  const std::span<const std::string> wanted = specs.empty() ? std::span(bundled) : specs;
  for (const std::string& spec : wanted) {
    const auto picked = [&](const CatalogueEntry& entry) { return is_picked(spec, entry.name); };
    if (std::ranges::none_of(entries, picked)) fail_unknown(entries, spec);
  }
  std::vector<const Subject*> subjects;
  for (const CatalogueEntry& entry : entries) {
    const auto picks = [&](const std::string& spec) { return is_picked(spec, entry.name); };
    if (std::ranges::any_of(wanted, picks)) subjects.push_back(entry.subject.get());
  }
  return subjects;
}

std::optional<std::string> shared_run(const Subject& subject, const Problem& problem, Unit unit) {
  if (unit == Unit::device || &subject != &subject_named(kDispatched)) return std::nullopt;
  const Dispatch chosen = dispatch(problem);
  if (!chosen.path) return std::nullopt;
  return std::string(name_of(*chosen.path));  // which is the name of its subject, too
}

}  // namespace attest
