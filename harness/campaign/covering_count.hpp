// covering_count.hpp - which features of cases met in a campaign, pairs, triples and fours of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/tally.hpp"

namespace attest {

struct CoveringCount {
  Pass pass = Pass::fwd;
  int strength = 2;
  Index cells = 0;                 // that no constraint excludes
  Index excluded = 0;              // the others
  Index drawn = 0;                 // cells that a fresh case had
  Index ran = 0;                   // cells that a fresh case had which at least one subject took
  std::vector<std::string> never;  // that none of these had, where they are to be listed
};

// Of each pass with fresh cases, by ascending strength. Cells that never ran are listed up to the
// strength `listed`: of fours there are hundreds of thousands.
[[nodiscard]] std::vector<CoveringCount> covering_counts(const Tally& tally, int listed);

// Name and reason of each constraint, for a report.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> constraints_in_words();

}  // namespace attest
