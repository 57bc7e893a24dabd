// traffic_count.hpp - what subjects move for a problem: as their machine counted, beside what the
// closed formulas say.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/subject.hpp"

namespace attest {

struct PassTraffic {
  MemoryUse counted;
  std::optional<MemoryUse> formula;  // nothing where the subject has none

  [[nodiscard]] bool agrees() const;
};

// Subjects with the same counts and formulas.
struct TrafficRow {
  std::vector<std::string> subjects;
  PassTraffic forward;
  std::optional<PassTraffic> backward;  // of problems with pass=bwd

  [[nodiscard]] bool agrees() const {
    return forward.agrees() && (!backward || backward->agrees());
  }
};

struct ProblemTraffic {
  Problem problem;
  std::vector<TrafficRow> rows;
  struct Reason {
    std::string subject;
    std::string why;
  };
  std::vector<Reason> uncounted;  // declined, or their machine does not count

  [[nodiscard]] bool agrees() const;
};

// Counts do not depend on values: the subjects run on Gaussian ones. Throws Error (ours) when a
// subject crashes or breaks rules.
[[nodiscard]] ProblemTraffic count_traffic(const Problem& problem,
                                           std::span<const Subject* const> subjects);

// A problem of the sweep, and what it is there for.
struct SweptProblem {
  std::string about;
  Problem problem;
};

// Ragged tiles and lengths, bands, groups, head dimensions, nothing to do; of both passes.
[[nodiscard]] std::vector<SweptProblem> traffic_sweep();

}  // namespace attest
