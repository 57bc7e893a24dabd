// fault_coverage.hpp - which family reaches each class of faults that have been reported of
// attention kernels, which law rejects it, and which canary shows that it does.
//
// The classes and their families are a table here, laws and canaries come from the catalogue of
// subjects. docs/fault-coverage.md is this page; a test holds the two together.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

struct FaultClass {
  std::string_view code;                   // "C05"
  std::string_view name;                   // "causal alignment, tile bounds and leaks"
  std::vector<std::string_view> families;  // that reach it
  std::vector<std::string_view> laws;      // besides those of its canaries
  std::string_view waits;                  // for which feature, if nothing covers all of it yet
};

[[nodiscard]] std::span<const FaultClass> fault_classes();

// Names of the canaries that stand for the class, in catalogue order.
[[nodiscard]] std::vector<std::string_view> canaries_of(const FaultClass& fault);

// The laws that its canaries name, then the others that speak of it, each once.
[[nodiscard]] std::vector<std::string_view> laws_against(const FaultClass& fault);

// The page, as Markdown.
[[nodiscard]] std::string fault_coverage();

}  // namespace attest
