// findings.hpp - what the emulator saw: rules broken, and bytes moved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/traffic.hpp"
#include "kernels/machine/where.hpp"

namespace attest {

// A rule of the machine that a kernel broke.
struct Finding {
  enum class Kind : std::uint8_t {
    race,
    uninitialised_shared,
    uninitialised_global,
    out_of_bounds,
    misaligned,
    bad_argument,
    divergence,
    endless,
  };
  Kind kind;
  Where where;        // the access, or where a lane waits
  Where other_where;  // the other side of a race, or where another lane of the warp is
  std::string text;   // for a person: who, what, in which block
};

struct RunReport {
  std::vector<Finding> findings;  // at most one for each kind and pair of lines
  MemoryUse memory;
  std::int64_t fiber_switches = 0;

  [[nodiscard]] bool clean() const { return findings.empty(); }
};

// "race at kernels/x.hpp:88, against kernels/x.hpp:71: thread 3 (warp 0) ..."
[[nodiscard]] std::string describe(const Finding& finding);

// Is there a finding of this kind and pair of lines?
[[nodiscard]] bool is_known(const std::vector<Finding>& findings, Finding::Kind kind, Where where,
                            Where other_where);

// Keeps one finding for each kind and pair of lines.
void add_finding(std::vector<Finding>& findings, Finding finding);

}  // namespace attest
