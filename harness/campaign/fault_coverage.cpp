#include "harness/campaign/fault_coverage.hpp"

#include <algorithm>

#include "harness/subjects/catalogue.hpp"

namespace attest {
namespace {

// Is `code` one of "C03, C09"?
bool names(std::string_view classes, std::string_view code) {
  return classes.find(code) != std::string_view::npos;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

constexpr std::string_view kHead =
    "# Which fault is caught by what\n"
    "\n"
    "Reported faults of attention kernels fall into 31 classes. For each: the families of values "
    "that\n"
    "reach it (`attest list families`), the laws that reject it (`attest list laws`; that of its "
    "first\n"
    "canary first), and the canaries that show that they do (`attest list canaries`). A class "
    "that\n"
    "waits has no canary, or not all of it is covered, until the feature exists.\n"
    "\n"
    "This page is `attest list coverage`; a test compares them.\n"
    "\n"
    "| class | faults | families | laws | canaries | waits for |\n"
    "|---|---|---|---|---|---|\n";

}  // namespace

std::span<const FaultClass> fault_classes() {
  static const FaultClass kTable[] = {
      {"C01",
       "split keys and merging of partial states",
       {"F0", "F3", "F7", "F15"},
       {"longer_buffer"},
       ""},
      {"C02", "rows without a live key", {"F15"}, {}, ""},
      {"C03", "lengths that are no multiple of a tile", {"F7", "F21"}, {"longer_buffer"}, ""},
      {"C04",
       "range of scores, sentinels, contraction, 16-bit accumulators",
       {"F1", "F2", "F6", "F7", "F10", "F11"},
       {"one_key"},
       ""},
      {"C05", "causal alignment, tile bounds and leaks", {"F0", "F16", "F20"}, {"slices"}, ""},
      {"C06", "strides, permuted and expanded operands", {"F0", "F20"}, {}, ""},
      {"C07", "offsets in 32 bits", {"F0", "F20"}, {}, ""},
      {"C08", "scales of 8-bit formats", {}, {}, "8-bit operands"},
      {"C09", "bytes that nobody sees", {"F0", "F23"}, {"longer_buffer", "non_interference"}, ""},
      {"C10",
       "outputs, gradients and scratch that are not written",
       {"F0", "F15"},
       {"dead_rows"},
       ""},
      {"C11", "head dimensions: tails, d_qk and d_v, limits", {"F0", "F20"}, {}, ""},
      {"C12", "what LSE means, and its gradient", {"F0", "F6"}, {"one_key"}, ""},
      {"C13",
       "lengths by entry, empty entries, layouts between stages",
       {"F0", "F15"},
       {"head_isolation", "slices"},
       ""},
      {"C14", "edges of windows", {"F0", "F16", "F20"}, {}, ""},
      {"C15", "additive bias and its gradient", {}, {}, "a bias"},
      {"C16", "masks and tails that the backward does not apply", {"F7", "F8", "F21"}, {}, ""},
      {"C17", "heads and their groups", {"F0", "F20"}, {"head_isolation"}, ""},
      {"C18", "dropout", {}, {}, "dropout"},
      {"C19", "register layouts of one toolchain or architecture", {"F0", "F20"}, {}, ""},
      {"C20", "a dead tile in a live row", {"F7", "F15"}, {"constant_v"}, ""},
      {"C21", "missing synchronisation, two writers", {"F0", "F3"}, {}, ""},
      {"C22", "pages", {"F7", "F21"}, {"longer_buffer"}, "paged keys"},
      {"C23",
       "systematic loss of precision",
       {"F2", "F12", "F13", "F14", "F17", "F18", "F19", "F22"},
       {"score_gradient_sum"},
       ""},
      {"C24", "a rescale that is put off", {"F3", "F4"}, {"constant_v"}, ""},
      {"C25", "determinism that is promised and not delivered", {"F0", "F3"}, {}, ""},
      {"C26", "stale plans, dropped launches, what should be declined", {"F0"}, {}, ""},
      {"C27", "defects of the tests themselves", {"F23"}, {}, ""},
      {"C28", "soft-cap", {}, {}, "a soft-cap"},
      {"C29", "attention sinks", {}, {}, "sinks"},
      {"C30", "the scale of the scores", {"F0", "F1"}, {"envelope"}, ""},
      {"C31", "few queries", {"F0", "F15"}, {"slices"}, ""},
  };
  return kTable;
}

std::vector<std::string_view> canaries_of(const FaultClass& fault) {
  std::vector<std::string_view> found;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.is_canary() && names(entry.classes, fault.code)) found.push_back(entry.name);
  }
  return found;
}

std::vector<std::string_view> laws_against(const FaultClass& fault) {
  std::vector<std::string_view> found;
  const auto add = [&](std::string_view law) {
    if (std::ranges::find(found, law) == found.end()) found.push_back(law);
  };
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.is_canary() && names(entry.classes, fault.code)) add(entry.law);
  }
  for (const std::string_view law : fault.laws) add(law);
  return found;
}

std::string fault_coverage() {
  std::string page(kHead);
  for (const FaultClass& fault : fault_classes()) {
    std::vector<std::string_view> canaries = canaries_of(fault);
    for (std::string_view& name : canaries) name.remove_prefix(kCanaryPrefix.size());
    page += "| " + std::string(fault.code) + " | " + std::string(fault.name) + " | " +
            joined(fault.families) + " | " + joined(laws_against(fault)) + " | " +
            joined(canaries) + " | " + std::string(fault.waits) + " |\n";
  }
  return page;
}

}  // namespace attest
