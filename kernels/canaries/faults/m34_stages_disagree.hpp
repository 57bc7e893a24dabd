// M34 - D is stored head by head and read row by row; an entry without keys ends the launch.
//
// Stands for C13 (layouts of scratch between stages, zero-length entries). One head hides the
// first; smallest: two heads, two queries, two keys. Entries that all have keys hide the second;
// smallest: two entries of one query, of which the first has no key.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct DRowMajor : NoFault {
  static constexpr std::string_view kName = "canary/m34-d-row-major";
  static constexpr std::string_view kCode = "M34";
  static constexpr std::string_view kClasses = "C13";
  static constexpr std::string_view kFault = "D is stored by heads and read by rows";
  static constexpr std::string_view kLaw = "stage_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Index d_place(const Problem& p, Index h, Index i) { return i * p.heads_q + h; }
};

struct EmptyEntryEndsAll : NoFault {
  static constexpr std::string_view kName = "canary/m34-empty-entry-ends-all";
  static constexpr std::string_view kCode = "M34";
  static constexpr std::string_view kClasses = "C10, C13";
  static constexpr std::string_view kFault = "an entry without keys ends the backward";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static bool ends_at(const Problem& p, Index b) { return p.live_keys(b) == 0; }
};

}  // namespace attest
