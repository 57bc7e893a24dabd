// comparison.hpp - a campaign against an earlier report (--against): what came, went and changed.
//
// It is told, not judged: no change alters the exit status. A worst ratio belongs to the cases that
// a row ran; bits are compared only where both reports hold the very same case, by its values.
#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/report/kept_report.hpp"

namespace attest {

struct VerdictChange {
  std::string row;
  std::string law;
  std::string was;  // a verdict, or "absent"
  std::string is;
};

struct RatioChange {
  std::string row;
  std::string law;
  double was = 0;
  double is = 0;
};

// A row whose bits changed in some cases.
struct BitsChange {
  std::string row;
  Index cases = 0;
  std::string first;  // the id of one of them
};

struct Comparison {
  std::string file;   // of the earlier report
  std::string title;  // what it ran
  bool lacks_ratios = false;
  bool lacks_bits = false;
  std::vector<std::string> new_rows;
  std::vector<std::string> vanished_rows;
  std::vector<VerdictChange> verdicts;  // in rows that both have
  std::vector<RatioChange> ratios;      // likewise; what grew most first
  Index compared_ratios = 0;
  std::vector<BitsChange> bits;
  Index runs_with_bits = 0;  // of today
  Index same_cases = 0;      // of these, those that the earlier report has as well
  Index same_bits = 0;       // of these, those whose bits are the same
};

[[nodiscard]] Comparison compare(const KeptReport& earlier, const KeptReport& now);

// Some lines for people, of at most `most` changes of each kind. `names` says which case to run
// again where bits changed.
[[nodiscard]] std::string comparison_page(const Comparison& comparison,
                                          const std::map<std::string, CaseName>& names,
                                          std::size_t most = 10);

}  // namespace attest
