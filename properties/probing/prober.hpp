// prober.hpp - one attempt after the other around a failing case, a dimension at a time.
#pragma once

#include <algorithm>
#include <string_view>

#include "properties/needs.hpp"

namespace attest {

class Prober {
 public:
  Prober(const Attempt& failing, const Inputs& values, const std::optional<FamilyData>& drawn,
         const std::function<Trial(const Attempt&)>& trial,
         std::chrono::steady_clock::time_point deadline)
      : failing_(failing), values_(values), drawn_(drawn), trial_(trial), deadline_(deadline) {}

  [[nodiscard]] const Attempt& failing() const { return failing_; }
  [[nodiscard]] const Problem& problem() const { return failing_.c.problem; }
  [[nodiscard]] const Inputs& values() const { return values_; }
  [[nodiscard]] Needs& needs() { return needs_; }
  [[nodiscard]] bool out_of_time() const { return std::chrono::steady_clock::now() >= deadline_; }

  Trial attempt(const Attempt& one);
  // On the failure's unit and schedule.
  Trial attempt(const Problem& problem, Inputs values);
  // Under other shapes: fails if it does with any of the values that a shape can be given.
  Trial attempt_shape(const Problem& problem);

  // Calls probing(add), where add(value, trial) takes down how `trial` ended and returns it; the
  // failure's own value fails unasked. Once the time is out nothing is tried, and the dimension
  // counts as untried.
  template <class Probing>
  void dimension(std::string_view name, const std::string& own, bool is_size, Probing probing) {
    if (out_of_time()) {
      needs_.untried.emplace_back(name);
      return;
    }
    Probe probe{std::string(name), own, is_size, {}};
    bool cut = false;
    const auto add = [&](const std::string& value, auto trial) {
      cut = cut || out_of_time();
      if (cut) return Trial::declined;
      const Trial ending = value == own ? Trial::fails : trial();
      probe.tried.push_back({value, ending});
      return ending;
    };
    probing(add);
    if (cut) needs_.untried.emplace_back(name);
    if (std::ranges::find(probe.tried, own, &TriedValue::value) == probe.tried.end()) {
      probe.tried.push_back({own, Trial::fails});
    }
    if (is_size) {
      std::ranges::stable_sort(probe.tried, {},
                               [](const TriedValue& one) { return std::stol(one.value); });
    }
    needs_.probes.push_back(std::move(probe));
  }

 private:
  const Attempt& failing_;
  const Inputs& values_;
  const std::optional<FamilyData>& drawn_;
  const std::function<Trial(const Attempt&)>& trial_;
  std::chrono::steady_clock::time_point deadline_;
  Needs needs_;
};

// Masks, lengths, formats, units, schedules, values.
void probe_features(Prober& prober);
// Rows, keys, head dimensions, heads, entries of the batch.
void probe_sizes(Prober& prober);

}  // namespace attest
