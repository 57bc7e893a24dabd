#include "properties/needs.hpp"

#include "properties/probing/prober.hpp"

namespace attest {

Needs find_needs(const Attempt& failing, const Inputs& values,
                 const std::optional<FamilyData>& drawn,
                 const std::function<Trial(const Attempt&)>& trial,
                 std::chrono::steady_clock::time_point deadline) {
  Prober prober(failing, values, drawn, trial, deadline);
  probe_features(prober);
  probe_sizes(prober);
  return std::move(prober.needs());
}

}  // namespace attest
