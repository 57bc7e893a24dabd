// case_record.hpp - one finished case as one line of JSON, schema "attest.case/1": what --jsonl
// streams, and what a campaign that was cut off goes on from.
//
// A line holds all that a campaign counts of a case (tally.hpp), so that counting what was read
// back is counting what was written. Numbers on which a report depends are hexadecimal; only
// seconds are not. Single elements, budgets and details that no count needs are left out.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/campaign/case_list.hpp"
#include "harness/campaign/check_case.hpp"

namespace attest {

struct CaseRecord {
  Index n = 0;  // its number in the campaign
  Origin origin = Origin::fresh;
  std::string text;  // the case's string
  std::uint64_t schedule_seed = 0;
  CaseResult result;
  double seconds = 0;  // that the case took
  double at = 0;       // seconds of work from the campaign's start to the case's end
};

// One line, its end included. Text that is no UTF-8 is mended.
[[nodiscard]] std::string to_line(const CaseRecord& record);

// Reads a line back. Of the outcomes, only what to_line keeps. Throws Error (usage) where the line
// is not whole, speaks of another case than the list has under its number, or of a subject that is
// not among `subjects`.
[[nodiscard]] CaseRecord parse_record(std::string_view line, const CaseList& cases,
                                      std::span<const Subject* const> subjects);

}  // namespace attest
