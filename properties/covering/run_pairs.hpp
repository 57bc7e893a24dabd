// run_pairs.hpp - which features of cases have met what a subject's run adds to them.
//
// Units, parts of the keys and sums in any order are no choice of the draw: a subject has them or
// not. So what counts here is what a run had at all, and then each feature beside it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "properties/covering/parameter.hpp"

namespace attest {

// "unit=h100", "parts=2", "sums=in any order": what the declaration says of a run on the problem.
[[nodiscard]] std::vector<std::string> run_features_of(const Subject& subject,
                                                       const Problem& problem, Unit unit);

class RunPairs {
 public:
  explicit RunPairs(Pass pass) : pass_(pass) {}

  void meet(const std::vector<std::string>& run, const Features& features);

  struct Count {
    Index pairs = 0;  // that no constraint excludes
    Index met = 0;
    std::vector<std::string> never;  // the features that did not meet it
  };
  // By what the runs had.
  [[nodiscard]] std::map<std::string, Count> counts() const;

 private:
  using Met = std::array<std::uint32_t, kParameters>;  // a bit for each value
  Pass pass_;
  std::map<std::string, Met> met_;
};

}  // namespace attest
