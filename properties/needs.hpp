// needs.hpp - what a failing case depends on, found by trying cases around it.
//
// Shrinking says how small a failure can be; this says which of its sizes and features matter: any
// d, only nk > 16, only align=br. What was tried proves nothing about the rest, so a probe holds
// each value with its ending, and a report says "tried".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/unit.hpp"

namespace attest {

// All that one run is made of.
struct Attempt {
  Case c;
  Unit unit = Unit::fp32_seq;
  std::uint64_t schedule_seed = 0;
};

enum class Trial : std::uint8_t {
  fails,     // as the failure does: under the same law
  passes,    // it does not
  declined,  // the subject does not take the case, or the law does not speak of it
};

struct TriedValue {
  std::string value;
  Trial trial = Trial::declined;
};

// One dimension, the others as in the failure.
struct Probe {
  std::string dimension;          // "nk", "align", "unit"
  std::string own;                // the failure's value
  bool is_size = false;           // values are whole numbers, in ascending order
  std::vector<TriedValue> tried;  // the failure's own among them
};

struct Needs {
  std::vector<Probe> probes;
  std::vector<std::string> untried;  // dimensions that the deadline left out or cut short
  int runs = 0;                      // of the subject's case, own value not counted
};

// Probes every dimension until the deadline. A size fails if it does so with one of these values:
// those of the failure, repeated or cropped; the same with zeros where they end; those that `drawn`
// gives. For nk the smallest failing size is then searched for by halving.
// Requires: `values` are those of failing.c, and `trial(failing)` is fails.
[[nodiscard]] Needs find_needs(const Attempt& failing, const Inputs& values,
                               const std::optional<FamilyData>& drawn,
                               const std::function<Trial(const Attempt&)>& trial,
                               std::chrono::steady_clock::time_point deadline);

}  // namespace attest
